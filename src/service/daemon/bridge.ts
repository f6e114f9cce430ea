import type { Intake } from '../../capture/intake/index.ts';
import { messageOf, removeIfThere } from '../../core/platform/index.ts';
import { refusal } from '../../core/rpc/index.ts';
import { leftRedirects, redirectPlace } from '../../core/workspace/index.ts';
import { type Bridge, openBridge } from '../bridge/index.ts';
import type { Engine } from '../engine/index.ts';
import { bridgeOps } from './ops.ts';
import { projectsNear } from './projects.ts';
import type { StartContext } from './start-context.ts';
import type { BridgeStatus, Status } from './status.ts';

export interface BridgeStart extends StartContext {
  readonly engine: Engine;
  readonly intake: Intake;
  readonly status: Status;
  readonly active: () => void;
}

/** The bridge of a daemon, or the reason why it does not run. */
export interface BridgeState extends BridgeStatus {
  /** The `unlock` op: a code, or a file that opens the page with one, at a place. @throws Failure `unavailable` */
  unlock(
    asFile: boolean,
    place: string,
  ): { url: string; warning: string | null } & ({ code: string } | { file: string });
  close(): Promise<void>;
}

/** Opens the bridge unless `MEMD_NO_HTTP=1`. If it cannot run, the daemon runs without it. */
export async function startBridge(start: BridgeStart): Promise<BridgeState> {
  const { workspace, env, config, logger } = start;
  // Left from a killed daemon; the port may belong to another program now.
  removeIfThere(workspace.httpPort);
  for (const file of leftRedirects(workspace)) removeIfThere(file);
  if (env.MEMD_NO_HTTP === '1') return noBridge(null, 'it is switched off by MEMD_NO_HTTP=1');
  let rotated: string | null = null;
  const onRotated = (): void => {
    rotated = rotatedWarning(new Date());
    logger.warn(rotated);
  };
  try {
    const bridge = await open(start, onRotated);
    const wanted = config['http.port'];
    const warning =
      wanted === 0 || bridge.port === wanted
        ? null
        : `port ${wanted} is in use: the web bridge listens on ${bridge.url}`;
    if (warning !== null) logger.warn(warning);
    logger.info({ url: bridge.url }, 'web bridge');
    return {
      http: { url: bridge.url },
      warning,
      get rotated() {
        return rotated;
      },
      get tokenReplacedAt() {
        return bridge.tokenReplacedAt();
      },
      unlock: (asFile, place) => {
        const key = asFile ? { file: bridge.unlockFile(place) } : { code: bridge.unlockCode() };
        return { url: bridge.url, warning: rotated, ...key };
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
    tokenReplacedAt: null,
    unlock: () => {
      throw refusal('unavailable', `web bridge not active yet: ${why}`);
    },
    close: async () => {},
  };
}

function rotatedWarning(date: Date): string {
  return `The token of the page was changed at ${date.toISOString()}: a one-time code was used twice, so another person may have read the memory through the page. Run memd web for a new address, and find out who else had the code; memd restart clears this warning.`;
}

function open(
  { workspace, config, engine, intake, status, logger, scripts, active }: BridgeStart,
  rotated: () => void,
): Promise<Bridge> {
  return openBridge({
    tokenFile: workspace.token,
    portFile: workspace.httpPort,
    database: workspace.database,
    port: config['http.port'],
    redirects: () => redirectPlace(workspace),
    scripts,
    active,
    rotated,
    sources: {
      ...bridgeOps(engine),
      status: () => status.info(),
      projects: async () => ({ projects: projectsNear(workspace) }),
    },
    settled: () => intake.flush(),
    live: async (known) => {
      const { counts, backends, counters, usage, budget, warnings } = await status.info(known);
      return { counts, counters, backends, usage, budget, warnings };
    },
    internal: (error) => logger.error({ err: error }, 'a web request failed'),
  });
}
