import { parseArgs } from 'node:util';
import { Failure, withRepair } from '../../core/platform/index.ts';
import { homeOf, layout } from '../../core/workspace/index.ts';
import type { StartMessage } from '../lifecycle/index.ts';
import { runDaemon } from './run.ts';

/** The daemon's process: `daemon.cjs --root FOLDER --namespace NAME`. */
async function main(): Promise<void> {
  // Whoever starts it tells by this a daemon that takes its time from a Node.js that never ran it.
  process.send?.({ kind: 'begun' } satisfies StartMessage, () => {});
  // All that it writes is its owner's alone, and it starts nobody else's program.
  process.umask(0o077);
  const { values } = parseArgs({ options: { root: { type: 'string' }, namespace: { type: 'string' } } });
  const home = homeOf(process.env);
  const workspace = layout(home, values.namespace ?? 'default', values.root ?? process.cwd());
  // A signal may come before there is a daemon to stop; it is kept until then.
  let stop: (reason: string) => void = (reason) => {
    early = reason;
  };
  let early: string | null = null;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  // Nor does it end by USR2, or open Node's inspector by USR1: a port without a token.
  for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {});
  const daemon = await runDaemon({
    workspace,
    home,
    env: process.env,
    waiting: (message) => tell({ kind: 'waiting', message }),
    scripts: {
      engine: new URL('./engine.cjs', import.meta.url),
      check: new URL('./check.cjs', import.meta.url),
      backfill: new URL('./backfill.cjs', import.meta.url),
      capture: new URL('./capture.cjs', import.meta.url),
      reader: new URL('./bridge.cjs', import.meta.url),
      page: new URL('./web/', import.meta.url),
    },
  });
  if (daemon === null) {
    tell({ kind: 'taken' });
    return;
  }
  stop = (reason) => void daemon.stop(reason);
  if (early !== null) stop(early);
  tell({ kind: 'ready', pid: process.pid, notes: daemon.notes });
  await daemon.ended;
}

function tell(message: StartMessage, then = (): void => {}): void {
  if (process.send === undefined) {
    process.stderr.write(`${'message' in message ? message.message : message.kind}\n`, then);
    return;
  }
  process.send(message, () => {
    // The starter may have gone already; then nobody wants to know.
    if (process.connected && message.kind !== 'waiting') process.disconnect();
    then();
  });
}

main().catch((error: unknown) => {
  const code = error instanceof Failure ? error.code : 'internal';
  const message = error instanceof Failure ? error.message : withRepair(error);
  tell({ kind: 'failed', code, message }, () => process.exit(1));
});
