import { jsonText } from '../../../core/event/index.ts';
import { ensureDaemon, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { plural } from '../words.ts';
import { backfillNow, describe } from './backfill.ts';
import { drainHere } from './drain.ts';
import { init } from './init.ts';
import { pageUrl } from './web.ts';

export const upCommand: AddCommand = (program, io) => {
  command(program, 'up', 'everything at once: init, start, backfill, drain', ['memd up'])
    .option('--json', 'as JSON, when all is done')
    .action(async ({ json = false }: { json?: boolean }) => {
      // What is told on the way in words is told at the end as JSON.
      const told: Io = json ? { ...io, out: () => {} } : io;
      init(told);
      const workspace = workspaceOf(told);
      const { pid } = await ensureDaemon(workspace, told);
      told.out(`memd is running (pid ${pid})`);
      const backfill = await backfillNow({}, told);
      told.out(describe(backfill, false, told));
      const drain = await drainHere(workspace, null, told);
      told.out(`${plural(drain.processed, 'event')} summarised`);
      const url = pageUrl(workspace);
      const { firstError } = drain;
      if (json) io.out(jsonText({ ok: firstError === undefined, pid, backfill, drain, url }, 2));
      if (firstError !== undefined) {
        io.note(`memd: ${firstError}`);
        throw new Unsuccessful();
      }
      if (url !== null) told.out(`page: ${url}/  (open it with: ${io.style('bold', 'memd web')})`);
      told.out(`try: ${io.style('bold', 'mem search "..."')}  or  ${io.style('bold', 'mem recent')}`);
    });
};
