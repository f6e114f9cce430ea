import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { bridgeCodeMs } from '#core/limits';
import { removeIfThere } from '#core/platform';

/** The folder of redirect files, and the start of their names. */
export interface RedirectPlace {
  readonly folder: string;
  readonly begin: string;
}

/**
 * Files that redirect a browser to an address. All users of the machine can see the arguments of the browser's command; only this user can
 * read the file (mode 0600). It is removed after its use, after `bridgeCodeMs`, and at the end.
 */
export function redirects(place: () => RedirectPlace) {
  const open = new Map<string, NodeJS.Timeout>();
  const remove = (file: string): void => {
    clearTimeout(open.get(file));
    open.delete(file);
    removeIfThere(file);
  };
  return {
    newName: (): string => {
      const { folder, begin } = place();
      return path.join(folder, `${begin}${randomBytes(8).toString('hex')}.html`);
    },
    /** Fails if the name exists, so it never follows a link. `address` needs no escape in HTML. */
    write: (file: string, address: string): void => {
      fs.writeFileSync(file, pageTo(address), { flag: 'wx', mode: 0o600 });
      open.set(file, setTimeout(() => remove(file), bridgeCodeMs).unref());
    },
    remove,
    removeAll: (): void => {
      for (const file of open.keys()) remove(file);
    },
  };
}

/** A script keeps this page out of the history; the link is for a browser without scripts. */
function pageTo(address: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>memd</title>
<p><a href="${address}">Open the page of memd</a></p>
<script>location.replace('${address}')</script>
`;
}
