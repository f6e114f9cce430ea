import fs from 'node:fs';

/** A text that the build made of the programs. Null in a run from the sources. */
export function shippedText(name: string): string | null {
  try {
    return fs.readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
  } catch {
    return null;
  }
}
