import { type Bridge, openBridge } from '../bridge/index.ts';
import type { Intake } from '../capture/index.ts';
import type { Config } from '../config/index.ts';
import type { Engine } from '../engine/index.ts';
import { messageOf, removeIfThere } from '../platform/index.ts';
import { refusal } from '../rpc/index.ts';
import type { Environment, Workspace } from '../workspace/index.ts';
import type { Logger } from './logger.ts';
import { searchOps } from './ops.ts';
import type { Status } from './status.ts';

export interface BridgeStart {
  readonly workspace: Workspace;
  readonly env: Environment;
  readonly config: Config;
  readonly engine: Engine;
  readonly intake: Intake;
  readonly status: Status;
  readonly logger: Logger;
  readonly scripts: { readonly reader: URL; readonly page: URL };
  readonly active: () => void;
}

/** The bridge of a daemon, or why there is none. */
export interface BridgeState {
  /** What `info` shows. */
  readonly http: { readonly url: string } | null;
  /** For the user, when it should run and does not, or not as asked. */
  readonly warning: string | null;
  /** The `unlock` op. @throws Failure `unavailable` */
  unlock(): { url: string; code: string };
  close(): Promise<void>;
}

/** Opens the bridge unless `MEMD_NO_HTTP=1`. Whatever keeps it from running costs the daemon nothing else. */
export async function startBridge(start: BridgeStart): Promise<BridgeState> {
  const { workspace, env, config, logger } = start;
  // One that a killed daemon has left names somebody else's port by now.
  removeIfThere(workspace.httpPort);
  if (env.MEMD_NO_HTTP === '1') return noBridge(null, 'it is switched off by MEMD_NO_HTTP=1');
  try {
    const bridge = await open(start);
    const wished = config['http.port'];
    const warning =
      wished === 0 || bridge.port === wished
        ? null
        : `port ${wished} is not free: the web bridge listens on ${bridge.port}`;
    if (warning !== null) logger.warn(warning);
    logger.info({ url: bridge.url }, 'web bridge');
    return {
      http: { url: bridge.url },
      warning,
      unlock: () => ({ url: bridge.url, code: bridge.unlockCode() }),
      close: () => bridge.close(),
    };
  } catch (error) {
    const warning = `the web bridge does not run: ${messageOf(error)}`;
    logger.warn(warning);
    return noBridge(warning, messageOf(error));
  }
}

function noBridge(warning: string | null, why: string): BridgeState {
  return {
    http: null,
    warning,
    unlock: () => {
      throw refusal('unavailable', `web bridge not active yet: ${why}`);
    },
    close: async () => {},
  };
}

function open({
  workspace,
  config,
  engine,
  intake,
  status,
  logger,
  scripts,
  active,
}: BridgeStart): Promise<Bridge> {
  const { search, why } = searchOps(engine);
  return openBridge({
    tokenFile: workspace.token,
    portFile: workspace.httpPort,
    database: workspace.database,
    port: config['http.port'],
    scripts,
    active,
    sources: { search, why, status: () => status.info() },
    settled: () => intake.flush(),
    live: async (counts) => {
      const info = await status.info(counts);
      const { backends, counters, usage, budget, warnings } = info;
      return { counts: info.counts, counters, backends, usage, budget, warnings };
    },
    internal: (error) => logger.error({ err: error }, 'a web request failed'),
  });
}
