import { jsonText } from '../../../core/event/index.ts';
import { assistantState, assistants, attempt, ownPrograms, pluginOf } from '../../install/index.ts';
import { ensureDaemon, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { plural } from '../words.ts';
import { backfillNow, describe } from './backfill.ts';
import { drainHere } from './drain.ts';
import { init } from './init.ts';
import { pageUrl } from './web.ts';

export const upCommand: AddCommand = (program, io) => {
  command(program, 'up', 'set up and start everything: init, start, backfill, drain', ['memd up']).action(
    async ({ json = false }: { json?: boolean }) => {
      const { firstError, text, ...done } = await bringUp(json, io);
      if (json) io.out(jsonText({ ok: firstError === undefined, ...done }, 2));
      if (firstError !== undefined) throw new Unsuccessful();
      if (!isRecording(io))
        text.note('memd: no assistant is connected, so nothing new is recorded. Run `memd setup`.');
      text.out(`Try: ${io.style('bold', 'mem search "..."')}  or  ${io.style('bold', 'mem recent')}`);
    },
  );
};

/** Init, start, backfill, drain. Prints what each did, except with `json`. */
export async function bringUp(json: boolean, io: Io) {
  // With --json, only the object at the end.
  const text: Io = json ? { ...io, out: () => {} } : io;
  init(false, text);
  const workspace = workspaceOf(io);
  const { pid } = await ensureDaemon(workspace, io);
  text.out(`memd is running (pid ${pid}).`);
  const backfill = await backfillNow({}, io);
  text.out(describe(backfill, false, io));
  const { result: drain, waiting } = await drainHere(workspace, null, false, io);
  const rest = waiting > 0 ? `${plural(waiting, 'event')} still wait.` : 'No event waits.';
  text.out(`Summarised ${plural(drain.processed, 'event')}. ${rest}`);
  const url = pageUrl(workspace);
  if (url !== null) text.out(`Page: ${url}/  (open it with: ${io.style('bold', 'memd web')})`);
  return { pid, backfill, drain, url, text, firstError: drain.firstError };
}

/** Whether an assistant has memd's hooks, or its plugin. */
function isRecording(io: Io): boolean {
  const programs = ownPrograms(io.env);
  return assistants.some((assistant) => {
    const { state } = assistantState(assistant, io.env, programs);
    if (state === 'installed' || state === 'outdated') return true;
    return attempt(() => pluginOf(assistant, io.env), [])?.isOn === true;
  });
}
