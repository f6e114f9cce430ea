import type { Intake } from '../../capture/intake/index.ts';
import type { Config } from '../../core/config/index.ts';
import { messageOf, removeIfThere } from '../../core/platform/index.ts';
import { refusal } from '../../core/rpc/index.ts';
import {
  type Environment,
  leftRedirects,
  redirectPlace,
  type Workspace,
} from '../../core/workspace/index.ts';
import { type Bridge, openBridge } from '../bridge/index.ts';
import type { Engine } from '../engine/index.ts';
import type { Logger } from './logger.ts';
import { searchOps } from './ops.ts';
import type { BridgeStatus, Status } from './status.ts';

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
export interface BridgeState extends BridgeStatus {
  /** The `unlock` op: a code, or a file that takes a browser to the page with one. @throws Failure `unavailable` */
  unlock(asFile: boolean): { url: string; warning: string | null } & ({ code: string } | { file: string });
  close(): Promise<void>;
}

/** Opens the bridge unless `MEMD_NO_HTTP=1`. Whatever keeps it from running costs the daemon nothing else. */
export async function startBridge(start: BridgeStart): Promise<BridgeState> {
  const { workspace, env, config, logger } = start;
  // One that a killed daemon has left names somebody else's port by now.
  removeIfThere(workspace.httpPort);
  for (const file of leftRedirects(workspace)) removeIfThere(file);
  if (env.MEMD_NO_HTTP === '1') return noBridge(null, 'it is switched off by MEMD_NO_HTTP=1');
  try {
    let rotated: string | null = null;
    const bridge = await open(start, () => {
      rotated = rotatedAt(new Date());
      logger.warn(rotated);
    });
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
      get rotated() {
        return rotated;
      },
      unlock: (asFile) => {
        const how = asFile ? { file: bridge.unlockFile() } : { code: bridge.unlockCode() };
        return { url: bridge.url, warning: rotated, ...how };
      },
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
    rotated: null,
    unlock: () => {
      throw refusal('unavailable', `web bridge not active yet: ${why}`);
    },
    close: async () => {},
  };
}

/** In one line, for the log, `info`, `memd doctor` and `memd web`. */
function rotatedAt(date: Date): string {
  return `The token of the page was changed at ${date.toISOString()}: a one-time code was used twice, so somebody else may have read the memory through the page. Run memd web for a new address, and find out who else had the code; memd restart clears this warning.`;
}

function open(
  { workspace, config, engine, intake, status, logger, scripts, active }: BridgeStart,
  rotated: () => void,
): Promise<Bridge> {
  const { search, why } = searchOps(engine);
  return openBridge({
    tokenFile: workspace.token,
    portFile: workspace.httpPort,
    database: workspace.database,
    port: config['http.port'],
    redirects: () => redirectPlace(workspace),
    scripts,
    active,
    rotated,
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
