import { serve } from '#core/rpc';
import { autoSync } from './auto-sync.ts';
import { backfillOp } from './backfill-op.ts';
import { type BridgeState, startBridge } from './bridge.ts';
import { openFrontOrNone } from './front.ts';
import { opsHandler } from './ops.ts';
import { placesOf } from './places.ts';
import type { StartContext } from './start-context.ts';
import { Status } from './status.ts';
import type { Storage } from './storage.ts';

/**
 * The page's bridge, and the socket by which clients find the daemon. `moved` is for the user's next session.
 * @throws when the socket cannot be opened; without the bridge the daemon still runs
 */
export async function openListeners(options: StartContext & { storage: Storage; moved: string | null }) {
  const { workspace, config, logger, shutdown, storage, scripts } = options;
  const { engine, activity, background, ingest, retention } = storage;
  const { intake } = ingest;
  let opened: BridgeState | null = null;
  const status = new Status({
    ...options,
    ...{ engine, intake },
    bridge: () => opened,
    retentionWarning: () => retention.warning(),
    isEmbedding: background.isEmbedding,
  });
  const bridge = await startBridge({ ...options, engine, intake, status, active: activity.seen });
  opened = bridge;
  const sync = autoSync(options);
  let news = options.moved;
  const handle = opsHandler({
    ...{ engine, intake },
    backfill: backfillOp({ ...options, engine, script: scripts.backfill }),
    sessionIdle: async (session) => {
      await background.sessionIdle(session);
      sync.soon();
    },
    background,
    grown: storage.grown,
    info: () => status.info(),
    worst: async () => {
      const worst = await status.worst();
      // Once, and after any problem.
      const said = worst ?? news;
      if (worst === null) news = null;
      return said;
    },
    unlock: (asFile, place) => bridge.unlock(asFile, place),
    shutdown: () => void shutdown.stop('asked to'),
    recall: config['inject.recall'],
  });
  const places = placesOf(options);
  const front = await openFrontOrNone({ ...options, intake, places, during: activity.during });
  const server = await serve({
    socket: workspace.socket,
    handle: (request, context) => {
      if (request.op === 'capture' && typeof request.place === 'string') places.learn(request.place);
      if (request.op !== 'subscribe') return activity.during(() => handle(request, context));
      // A subscriber does not keep an idle daemon running.
      activity.seen();
      return handle(request, context);
    },
    large: (frame, onRid) => activity.during(() => intake.takeFrame(frame, onRid)),
    internal: (error) => logger.error({ err: error }, 'a request failed'),
    isHome: storage.isHome,
    shortOfFiles: () => status.shortOfFiles(),
    reopened: () => logger.warn('the socket had been removed; the daemon made a new one'),
  });
  return { bridge, server, front, sync };
}
