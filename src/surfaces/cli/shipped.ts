import fs from 'node:fs';
import { orElse } from '#core/platform';

/** A text that the build made of the programs. Null in a run from the sources. */
export function shippedText(name: string): string | null {
  return orElse(() => fs.readFileSync(new URL(`./${name}`, import.meta.url), 'utf8'), null);
}
