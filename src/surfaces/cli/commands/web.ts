import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type JsonObject, jsonText, stringAt } from '../../../core/event/index.ts';
import { Failure, isUnsafePlace, lstatIfThere, pause, readIfThere } from '../../../core/platform/index.ts';
import type { Workspace } from '../../../core/workspace/index.ts';
import { openInBrowser } from '../browser.ts';
import { ask, hangs, wake, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command } from '../program.ts';

const browserOpensMs = 10_000;
const browserLookMs = 100;

export const webCommand: AddCommand = (program, io) => {
  command(program, 'web', 'open the page of this memory in your browser', [
    'memd web',
    'memd web --print',
    'memd web --json',
  ])
    .option('--print', 'print an address that opens the page once, within a minute; open nothing')
    .option('--json', 'the same as JSON')
    .action(async (options: { print?: boolean; json?: boolean }) => {
      const workspace = workspaceOf(io);
      if (!options.json && !options.print) return openPage(await unlocked(workspace, true, io), io);
      const { url, given: code } = await unlocked(workspace, false, io);
      const address = `${url}/#code=${code}`;
      if (options.json) io.out(jsonText({ url, address }, 2));
      else io.out(address);
    });
};

/**
 * The browser is given a file that takes it to the page: every user of the machine sees the arguments of a command. The daemon removes
 * the file when the page has traded the code that is in it.
 */
async function openPage({ url, given: file }: Unlocked, io: Io): Promise<void> {
  // Without the code: what a terminal shows is copied, kept and shared.
  io.out(`${url}/`);
  if (!(await openInBrowser(pathToFileURL(file).href, io.env))) throw noBrowser();
  const patience = AbortSignal.timeout(browserOpensMs);
  while (lstatIfThere(file) !== null) {
    if (patience.aborted) {
      io.note(
        `memd: the browser has not opened the page within ${browserOpensMs / 1_000} s: it may still be starting, may not read ${file}, or runs on another machine. Run: memd web --print, and open the address that it prints`,
      );
      return;
    }
    await pause(browserLookMs, patience);
  }
}

/** The page's address, `http://127.0.0.1:PORT`; null while the port file is not there. */
export function pageUrl(workspace: Workspace): string | null {
  const port = readIfThere(workspace.httpPort)?.trim() ?? '';
  return /^\d+$/.test(port) ? `http://127.0.0.1:${port}` : null;
}

interface Unlocked {
  readonly url: string;
  /** A one-time code, or the file that takes a browser to the page with one. */
  readonly given: string;
}

/** Where the bridge is, and a fresh way in. */
async function unlocked(workspace: Workspace, asFile: boolean, io: Io): Promise<Unlocked> {
  if (pageUrl(workspace) === null) await wake(workspace, io);
  const url = pageUrl(workspace);
  if (url === null) throw await notActive(workspace);
  const reply = await newWay(workspace, asFile);
  const warning = stringAt(reply, 'warning');
  if (warning !== undefined) io.note(`memd: ${warning}`);
  const given = stringAt(reply, asFile ? 'file' : 'code') ?? '';
  if (!(asFile ? path.isAbsolute(given) : /^[0-9a-f]+$/.test(given))) {
    // A daemon of an older version knows of no files.
    throw new Failure('bad_reply', 'the daemon gave no code', { repair: 'run: memd restart' });
  }
  return { url, given };
}

async function newWay(workspace: Workspace, file: boolean): Promise<JsonObject> {
  try {
    return await ask(workspace, { op: 'unlock', file });
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
