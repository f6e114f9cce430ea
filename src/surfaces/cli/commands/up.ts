import { jsonText } from '#core/event';
import { ensureDaemon, workspaceOf } from '../daemon-link.ts';
import { type Io, silent } from '../io.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { rowLines } from '../show.ts';
import { stateOf } from '../show-state.ts';
import { plural } from '../words.ts';
import { backfillNow, describe } from './backfill.ts';
import { drainHere } from './drain.ts';
import { currentInfo } from './info.ts';
import { init } from './init.ts';
import { pageUrl } from './web.ts';

export const upCommand: AddCommand = (program, io) => {
  command(program, 'up', 'set up and start everything: init, start, backfill, drain', ['memd up']).action(
    async ({ json = false }: { json?: boolean }) => {
      const { firstError, text, ...done } = await bringUp(json, io);
      if (json) io.out(jsonText({ ok: firstError === undefined, ...done }, 2));
      if (firstError !== undefined) throw new Unsuccessful();
      await showState(text);
    },
  );
};

/** Init, start, backfill, drain. Prints what each did, except with `json` and the notes that were `shown` before. */
export async function bringUp(json: boolean, io: Io, shown: readonly string[] = []) {
  // With --json, only the object at the end.
  const text: Io = json ? { ...io, ...silent } : io;
  init(false, text);
  const workspace = workspaceOf(io);
  const { pid } = await ensureDaemon(workspace, io);
  text.out(`memd is running (pid ${pid}).`);
  const backfill = await backfillNow({}, io);
  const notes = backfill.notes.filter((note) => !shown.includes(note));
  text.out(describe({ ...backfill, notes }, false, io));
  const { result: drain, waiting } = await drainHere(workspace, null, false, io);
  const rest = `${plural(waiting, 'event')} still wait for their summary.`;
  text.out(waiting > 0 ? rest : 'Every event has its summary.');
  const url = pageUrl(workspace);
  if (url !== null) text.out(`Page: ${url}/  (open it with: ${io.style('bold', 'memd web')})`);
  return { pid, backfill, drain, url, text, firstError: drain.firstError };
}

/** What there is now, and the next step. */
async function showState(io: Io): Promise<void> {
  const { info } = await currentInfo(io);
  const { rows, next, isRecording } = stateOf(info, workspaceOf(io), io);
  io.out(rowLines([...rows, ...(isRecording ? [['next', next] as const] : [])], io));
  if (!isRecording) io.note('memd: no assistant is connected, so nothing new is recorded. Run `memd setup`.');
}
