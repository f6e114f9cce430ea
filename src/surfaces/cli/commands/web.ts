import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { InvalidArgumentError } from 'commander';
import { type JsonObject, jsonText, stringAt } from '#core/event';
import { bridgePlace } from '#core/limits';
import { Failure, isUnsafePlace, lstatIfThere, pause, readIfThere, sentence } from '#core/platform';
import type { Workspace } from '#core/workspace';
import { openInBrowser } from '../browser.ts';
import { ask, hangs, wake, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command } from '../program.ts';

const browserOpensMs = 10_000;
const browserPollMs = 100;
const byHand = 'run `memd web --print`, and open the address it prints';

export const webCommand: AddCommand = (program, io) => {
  command(program, 'web', 'open the page of this memory in your browser', [
    'memd web',
    'memd web --print',
    "memd web '#/session?session=3f1c'",
    'memd web --json',
  ])
    .argument('[LINK]', 'a link that the page copied: opens that place', placeIn)
    .option('--print', 'only print an address; it opens the page once, within a minute')
    .action(async (place = '', { print, json }: { print?: boolean; json?: boolean }) => {
      const workspace = workspaceOf(io);
      if (!json && !print) return openPage(await unlocked(workspace, { file: true, place }, io), io);
      const { url, key } = await unlocked(workspace, { file: false, place }, io);
      const address = `${url}/#code=${key}${place}`;
      io.out(json ? jsonText({ url, address }, 2) : address);
    });
};

/** The part of a link that names a place of the page; its port is that of another daemon, perhaps. */
function placeIn(link: string): string {
  const [, place = ''] = /#(.*)/.exec(link) ?? [];
  if (place === '' || !bridgePlace.test(place))
    throw new InvalidArgumentError('It must be what "copy link" copied, in quotes.');
  return place;
}

/**
 * Gives the browser a file that leads to the page, because every user sees the arguments of a command. The daemon removes the
 * file when the page has used its code.
 */
async function openPage({ url, key: file }: Unlocked, io: Io): Promise<void> {
  // Without the code: terminal output is copied and shared.
  io.out(`${url}/`);
  if (!(await openInBrowser(pathToFileURL(file).href, io.env)))
    throw new Failure('no_browser', 'cannot open a browser', { repair: byHand });
  const deadline = AbortSignal.timeout(browserOpensMs);
  while (lstatIfThere(file) !== null) {
    if (deadline.aborted) {
      const why = `it may still be starting, cannot read ${file}, or runs on another machine`;
      io.note(
        `memd: the browser did not open the page within ${browserOpensMs / 1_000} s: ${why}. ${sentence(byHand)}`,
      );
      return;
    }
    await pause(browserPollMs, deadline);
  }
}

/** `http://127.0.0.1:PORT`; null without a port file. */
export function pageUrl(workspace: Workspace): string | null {
  const port = readIfThere(workspace.httpPort)?.trim() ?? '';
  return /^\d+$/.test(port) ? `http://127.0.0.1:${port}` : null;
}

interface Unlocked {
  readonly url: string;
  /** A one-time code, or the file that leads a browser to the page with one. */
  readonly key: string;
}

interface Wanted {
  readonly file: boolean;
  /** Empty: where the page begins. */
  readonly place: string;
}

async function unlocked(workspace: Workspace, wanted: Wanted, io: Io): Promise<Unlocked> {
  if (pageUrl(workspace) === null) await wake(workspace, io);
  const url = pageUrl(workspace);
  if (url === null) throw await notActive(workspace);
  const reply = await unlock(workspace, wanted);
  const warning = stringAt(reply, 'warning');
  if (warning !== undefined) io.note(`memd: ${warning}`);
  const key = stringAt(reply, wanted.file ? 'file' : 'code') ?? '';
  // A daemon of an older version sends no file.
  if (!(wanted.file ? path.isAbsolute(key) : /^[0-9a-f]+$/.test(key)))
    throw new Failure('bad_reply', 'the daemon sent no code', { repair: 'run `memd restart`' });
  return { url, key };
}

async function unlock(workspace: Workspace, { file, place }: Wanted): Promise<JsonObject> {
  try {
    return await ask(workspace, { op: 'unlock', file, ...(file && place !== '' && { place }) });
  } catch (error) {
    // The port file of a killed daemon.
    if (error instanceof Failure && error.code === 'unreachable' && !hangs(error))
      throw inactive('run `memd start`');
    throw error;
  }
}

/** The message of spec 7, or the reason that the daemon knows. */
async function notActive(workspace: Workspace): Promise<Failure> {
  try {
    await ask(workspace, { op: 'unlock' });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'unavailable' || isUnsafePlace(error) || hangs(error)) return error;
    if (error.code === 'unreachable') return inactive('run `memd start`');
  }
  return inactive('run `memd restart`');
}

function inactive(repair: string): Failure {
  return new Failure('inactive', 'web bridge not active yet', { repair });
}
