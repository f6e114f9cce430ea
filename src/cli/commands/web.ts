import { stringAt } from '../../event/index.ts';
import { Failure, isUnsafePlace, readIfThere } from '../../platform/index.ts';
import type { Workspace } from '../../workspace/index.ts';
import { openInBrowser } from '../browser.ts';
import { ask, hangs, wake, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command } from '../program.ts';

export const webCommand: AddCommand = (program, io) => {
  command(program, 'web', 'open the page of this memory in your browser', [
    'memd web',
    'memd web --print',
    'memd web --json',
  ])
    .option('--print', 'print an address that opens the page once, within a minute; open nothing')
    .option('--json', 'the same as JSON')
    .action(async (options: { print?: boolean; json?: boolean }) => {
      const { url, address } = await unlocked(workspaceOf(io), io);
      if (options.json) io.out(JSON.stringify({ url, address }, null, 2));
      else if (options.print) io.out(address);
      else {
        // Without the code: what a terminal shows is copied, kept and shared.
        io.out(`${url}/`);
        if (!(await openInBrowser(address, io.env))) throw noBrowser();
      }
    });
};

/** The page's address, `http://127.0.0.1:PORT`; null while the port file is not there. */
export function pageUrl(workspace: Workspace): string | null {
  const port = readIfThere(workspace.httpPort)?.trim() ?? '';
  return /^\d+$/.test(port) ? `http://127.0.0.1:${port}` : null;
}

/** Where the bridge is, and the address with a fresh one-time code in its fragment, which is never sent. */
async function unlocked(workspace: Workspace, io: Io): Promise<{ url: string; address: string }> {
  if (pageUrl(workspace) === null) await wake(workspace, io);
  const url = pageUrl(workspace);
  if (url === null) throw await notActive(workspace);
  const code = await newCode(workspace);
  if (!/^[0-9a-f]+$/.test(code))
    throw new Failure('bad_reply', 'the daemon gave no code', { repair: 'run: memd restart' });
  return { url, address: `${url}/#code=${code}` };
}

async function newCode(workspace: Workspace): Promise<string> {
  try {
    return stringAt(await ask(workspace, { op: 'unlock' }), 'code') ?? '';
  } catch (error) {
    // A killed daemon has left its port file.
    if (error instanceof Failure && error.code === 'unreachable' && !hangs(error))
      throw inactive('run: memd start');
    throw error;
  }
}

/** In the words of spec 7, with what the daemon knows of the reason. */
async function notActive(workspace: Workspace): Promise<Failure> {
  try {
    await ask(workspace, { op: 'unlock' });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'unavailable' || isUnsafePlace(error) || hangs(error)) return error;
    if (error.code === 'unreachable') return inactive('run: memd start');
  }
  return inactive('run: memd restart');
}

function inactive(repair: string): Failure {
  return new Failure('inactive', 'web bridge not active yet', { repair });
}

function noBrowser(): Failure {
  return new Failure('no_browser', 'no browser could be opened', {
    repair: 'run: memd web --print, and open the address that it prints',
  });
}
