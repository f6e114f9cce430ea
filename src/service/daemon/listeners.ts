import type { Config } from '../../core/config/index.ts';
import { type RpcServer, serve } from '../../core/rpc/index.ts';
import type { Environment, Workspace } from '../../core/workspace/index.ts';
import { Backfiller } from './backfiller.ts';
import { type BridgeState, startBridge } from './bridge.ts';
import type { Logger } from './logger.ts';
import { opsHandler } from './ops.ts';
import type { Shutdown } from './shutdown.ts';
import { Status } from './status.ts';
import type { Storage } from './storage.ts';

export interface ListenerOptions {
  readonly workspace: Workspace;
  readonly env: Environment;
  readonly home: string;
  readonly config: Config;
  /** What the settings gave reason to say. */
  readonly warnings: readonly string[];
  readonly logger: Logger;
  readonly shutdown: Shutdown;
  readonly storage: Storage;
  readonly scripts: { readonly backfill: URL; readonly reader: URL; readonly page: URL };
}

/** What answers: the page's bridge, then the socket, by which the daemon is found. */
export interface Listeners {
  readonly bridge: BridgeState;
  readonly server: RpcServer;
}

/** @throws when the socket cannot be listened on; a bridge that cannot run costs nothing else */
export async function openListeners(options: ListenerOptions): Promise<Listeners> {
  const { workspace, env, home, config, logger, shutdown, storage, scripts } = options;
  const { engine, activity, background } = storage;
  const { intake } = storage.ingest;
  let opened: BridgeState | null = null;
  const status = statusOf(options, () => opened);
  const bridge = await startBridge({ ...options, engine, intake, status, active: activity.seen });
  opened = bridge;
  const backfiller = new Backfiller({ engine, root: workspace.root, home, env, script: scripts.backfill });
  const handle = opsHandler({
    engine,
    intake,
    backfiller,
    rest: background.rest,
    info: () => status.info(),
    worst: () => status.worst(),
    unlock: (asFile) => bridge.unlock(asFile),
    shutdown: () => void shutdown.stop('asked to'),
    recall: config['inject.recall'],
  });
  const server = await serve({
    socket: workspace.socket,
    handle: (request, context) => {
      if (request.op !== 'subscribe') return activity.during(() => handle(request, context));
      // One that only looks on keeps nobody here.
      activity.seen();
      return handle(request, context);
    },
    large: (frame, told) => activity.during(() => intake.takeFrame(frame, told)),
    internal: (error) => logger.error({ err: error }, 'a request failed'),
    isHome: storage.isHome,
    reopened: () => logger.warn('the socket had been removed, and is there again'),
  });
  return { bridge, server };
}

function statusOf(
  { workspace, config, warnings, logger, storage }: ListenerOptions,
  bridge: () => BridgeState | null,
): Status {
  const { engine, ingest, eventLoop, retention } = storage;
  return new Status({
    workspace,
    engine,
    intake: ingest.intake,
    eventLoop,
    report: (message, fields) => logger.warn(fields, message),
    warnings,
    search: {
      topK: config.topK,
      halfLifeDays: config['search.halfLifeDays'],
      decayFloor: config['search.decayFloor'],
    },
    bridge,
    retention: () => retention.warning(),
  });
}
