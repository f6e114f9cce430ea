import { ensureDaemon, workspaceOf } from '../daemon-link.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { plural } from '../words.ts';
import { backfillNow, describe } from './backfill.ts';
import { drainHere } from './drain.ts';
import { init } from './init.ts';
import { pageUrl } from './web.ts';

export const upCommand: AddCommand = (program, io) => {
  command(program, 'up', 'everything at once: init, start, backfill, drain', ['memd up']).action(async () => {
    init(io);
    const workspace = workspaceOf(io);
    const { pid } = await ensureDaemon(workspace, io);
    io.out(`memd is running (pid ${pid})`);
    io.out(describe(await backfillNow({}, io), false, io));
    const { processed, firstError } = await drainHere(workspace, null, io);
    io.out(`${plural(processed, 'event')} summarised`);
    if (firstError !== undefined) {
      io.note(`memd: ${firstError}`);
      throw new Unsuccessful();
    }
    const url = pageUrl(workspace);
    if (url !== null) io.out(`page: ${url}/  (open it with: ${io.style('bold', 'memd web')})`);
    io.out(`try: ${io.style('bold', 'mem search "..."')}  or  ${io.style('bold', 'mem recent')}`);
  });
};
