import os from 'node:os';
import { damageOf } from '../../memory/store/index.ts';

/**
 * `check.cjs FILE`: looks at every page of a database and puts out what is wrong with it, as JSON. A process of its own, since it may
 * take seconds in one step: it gives way to all others, can be ended at any moment, and a page that brings it down costs nobody else.
 */
function main(file: string): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_LOW);
  } catch {
    // Not allowed here: it is only politeness.
  }
  process.stdout.write(JSON.stringify({ damage: damageOf(file) }));
}

main(process.argv[2] ?? '');
