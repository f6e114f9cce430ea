import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { bridgeCodeMs } from '../../core/limits.ts';
import { removeIfThere } from '../../core/platform/index.ts';

/** Where redirect files lie, and how their names begin. */
export interface RedirectPlace {
  readonly folder: string;
  readonly begin: string;
}

/**
 * Files that take a browser to an address. Every user of the machine sees the arguments of the browser's command; what this user's own
 * file says, mode 0600, nobody else sees. Each is removed by its `done`, after `bridgeCodeMs`, and at the end.
 */
export class Redirects {
  readonly #place: () => RedirectPlace;
  readonly #open = new Map<string, NodeJS.Timeout>();

  constructor(place: () => RedirectPlace) {
    this.#place = place;
  }

  /** A new name for a file; nothing has it yet. */
  newName(): string {
    const { folder, begin } = this.#place();
    return path.join(folder, `${begin}${randomBytes(8).toString('hex')}.html`);
  }

  /** Never through a link: the name is new, or it fails. `address` is made of digits and letters that need no escape in HTML. */
  write(file: string, address: string): void {
    fs.writeFileSync(file, pageTo(address), { flag: 'wx', mode: 0o600 });
    this.#open.set(
      file,
      setTimeout(() => this.remove(file), bridgeCodeMs),
    );
    this.#open.get(file)?.unref();
  }

  remove(file: string): void {
    clearTimeout(this.#open.get(file));
    this.#open.delete(file);
    removeIfThere(file);
  }

  removeAll(): void {
    for (const file of this.#open.keys()) this.remove(file);
  }
}

/** A script, so that this page is in no history; the link is for a browser that runs none. */
function pageTo(address: string): string {
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>memd</title>
<p><a href="${address}">Open the page of memd</a></p>
<script>location.replace('${address}')</script>
`;
}
