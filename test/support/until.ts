import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 20;
const patienceMs = 20_000;

/**
 * Settles with what `look` finds as soon as that is neither false, null nor undefined. Looks at a real state again and
 * again; the deadline only turns a hang into a failure that says what was waited for.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<Exclude<T, false | null | undefined>> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (isThere(found)) return found;
    if (performance.now() > deadline) throw new Error(`waited ${patienceMs} ms in vain: ${what}`);
    await pause(pollMs);
  }
}

function isThere<T>(found: T): found is Exclude<T, false | null | undefined> {
  return found !== false && found !== null && found !== undefined;
}
