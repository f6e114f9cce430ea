import os from 'node:os';
import { bestEffort } from '#core/platform';
import { damageOf } from '#memory/store';

/**
 * `check.cjs FILE`: checks every page of a database and prints the damage as JSON. It is a process of its own, because the check takes
 * seconds in one step: it runs at low priority, can be ended at any time, and may crash without harm.
 */
function main(file: string): void {
  // The system does not allow it; the check runs anyway.
  bestEffort(() => os.setPriority(os.constants.priority.PRIORITY_LOW));
  process.stdout.write(JSON.stringify({ damage: damageOf(file) }));
}

main(process.argv[2] ?? '');
