import fs from 'node:fs';

/** A text that the build made of the programs and put beside them, or null where there is none: in a run from the sources. */
export function shippedText(name: string): string | null {
  try {
    return fs.readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');
  } catch {
    // Told by the caller in its own way, or made anew.
    return null;
  }
}
