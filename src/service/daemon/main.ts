import { parseArgs } from 'node:util';
import { Failure, withRepair } from '#core/platform';
import { homeOf, layout } from '#core/workspace';
import type { StartMessage } from '#service/lifecycle';
import { runDaemon } from './run.ts';

/** The daemon's process: `daemon.cjs --root FOLDER --namespace NAME`. */
async function main(): Promise<void> {
  // By this its starter knows a slow daemon from a Node.js that never ran it.
  process.send?.({ kind: 'begun' } satisfies StartMessage, () => {});
  // Its files belong to its owner only, and it starts no other program.
  process.umask(0o077);
  const { values } = parseArgs({ options: { root: { type: 'string' }, namespace: { type: 'string' } } });
  const home = homeOf(process.env);
  const workspace = layout(home, values.namespace ?? 'default', values.root ?? process.cwd());
  // A signal that comes before the daemon runs takes effect when it does.
  let stop: (reason: string) => void = (reason) => {
    early = reason;
  };
  let early: string | null = null;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  // USR1 would open Node's inspector, a port without a token; HUP and USR2 would end the daemon.
  for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {});
  const daemon = await runDaemon({
    workspace,
    home,
    env: process.env,
    waiting: (message) => announce({ kind: 'waiting', message }),
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
    announce({ kind: 'taken' });
    return;
  }
  stop = (reason) => void daemon.stop(reason);
  if (early !== null) stop(early);
  announce({ kind: 'ready', pid: process.pid, notes: daemon.notes });
  await daemon.ended;
}

function announce(message: StartMessage, then = (): void => {}): void {
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
  announce({ kind: 'failed', code, message }, () => process.exit(1));
});
