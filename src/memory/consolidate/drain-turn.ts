import { bestEffort, isAlive } from '#core/platform';
import type { Store } from '#memory/store';

const turnMs = 60_000;
const setting = 'drain.turn';

/**
 * A caller's drain goes first, in whatever process it runs: the database names it, and the background of every other process stops
 * after its current batch. Two processes that drain at the same time would wait for each other's transactions.
 */
export function drainTurn({ settings }: Pick<Store, 'settings'>, self: string) {
  let callers = 0;
  let renewal: NodeJS.Timeout | undefined;
  // A courtesy, which ends by its time: a database that is locked now must not fail the drain because of it.
  const write = (value: string | null): void => bestEffort(() => settings.set(setting, value));
  const note = (): void => write(`${self} ${Date.now() + turnMs}`);
  const end = (): void => {
    clearInterval(renewal);
    renewal = undefined;
    write(null);
  };
  return {
    /** Runs the work of a caller. */
    during: async <T>(work: () => Promise<T>): Promise<T> => {
      callers += 1;
      note();
      renewal ??= setInterval(note, turnMs / 3).unref();
      try {
        return await work();
      } finally {
        callers -= 1;
        if (callers === 0) end();
      }
    },
    /** Whether a caller waits or works, here or in another process that is alive. */
    isTaken: (): boolean => {
      if (callers > 0) return true;
      const [owner = '', until = ''] = (settings.get(setting) ?? '').split(' ');
      if (owner === '' || owner === self || Number(until) < Date.now()) return false;
      const pid = Number.parseInt(owner, 10);
      return pid !== process.pid && isAlive(pid);
    },
  };
}
