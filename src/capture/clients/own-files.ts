import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { orElse } from '#core/platform';

const pathCharsMax = 4_096;
/** The page takes a random port from here on. */
const pagePortMin = 49_152;

/** A file or folder of memd's own: in the home of this user, or of another. A project's `.memd` is not. */
export function isOwnFile(name: string, cwd: string | null): boolean {
  if (name === '' || name.length > pathCharsMax) return false;
  const whole = path.resolve(cwd ?? '/', withHome(name.replace(/^file:(?:\/\/)?/, '')));
  if (path.basename(whole) === 'scope.json') return false;
  const base = path.join(os.homedir(), '.memd');
  return `${whole}/`.startsWith(`${base}/`) || ofAnotherHome.test(whole);
}

const ofAnotherHome = /^\/(?:root|(?:home|Users|var\/home|export\/home)\/[^/]+)\/\.memd(?:\/|$)/;

/** `~` and `$HOME` at the start. */
export function withHome(text: string): string {
  return text.replace(/^(?:~|\$HOME|\$\{HOME\}|\$env:HOME)(?=[/\\]|$)/, os.homedir());
}

/** An address of memd's page or its data. */
export function isOwnPage(text: string): boolean {
  const found = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})(\/[\w/-]*)?/i.exec(text);
  if (found === null) return false;
  const [, port = '', place = '/'] = found;
  return (Number(port) >= pagePortMin && data.test(place)) || ports().has(port);
}

const data =
  /^\/api\/(?:status|projects|summaries|graph|timeline|sessions?|change|event|file|states|standings?|tools|search|why|stream)$/;

/** The ports of all pages that are open now. */
function ports(): Set<string> {
  const base = path.join(os.homedir(), '.memd');
  return new Set(
    foldersIn(base)
      .flatMap((namespace) => foldersIn(path.join(namespace, 'workspaces')))
      .map((workspace) => textOf(path.join(workspace, 'http.port')).trim()),
  );
}

function foldersIn(folder: string): string[] {
  // Missing, or a file.
  return orElse(() => fs.readdirSync(folder).map((name) => path.join(folder, name)), []);
}

function textOf(file: string): string {
  // No page of this workspace is open.
  return orElse(() => fs.readFileSync(file, 'utf8'), '');
}
