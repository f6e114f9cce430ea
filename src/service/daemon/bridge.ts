import type { Intake } from '#capture/intake';
import { messageOf, removeIfThere } from '#core/platform';
import { refusal } from '#core/rpc';
import { leftRedirects, redirectPlace } from '#core/workspace';
import { type Bridge, openBridge } from '#service/bridge';
import { bridgeOps } from './ops.ts';
import { projectsNear } from './projects.ts';
import type { EngineContext } from './start-context.ts';
import type { Status } from './status.ts';

export interface BridgeStart extends EngineContext {
  readonly intake: Intake;
  readonly status: Status;
  readonly active: () => void;
}

export type BridgeState = Awaited<ReturnType<typeof startBridge>>;

/** Opens the bridge unless `MEMD_NO_HTTP=1`. If it cannot run, the daemon runs without it. */
export async function startBridge(start: BridgeStart) {
  const { workspace, env, config, logger } = start;
  // Left from a killed daemon; the port may belong to another program now.
  removeIfThere(workspace.httpPort);
  for (const file of leftRedirects(workspace)) removeIfThere(file);
  let bridge: Bridge | null = null;
  let whyNone = 'it is switched off by MEMD_NO_HTTP=1';
  let warning: string | null = null;
  let rotated: string | null = null;
  if (env.MEMD_NO_HTTP !== '1')
    try {
      bridge = await open(start, () => {
        rotated = rotatedWarning(new Date());
        logger.warn(rotated);
      });
      warning = portWarning(bridge, config['http.port']);
      logger.info({ url: bridge.url }, 'web bridge');
    } catch (error) {
      whyNone = messageOf(error);
      warning = `the web bridge does not run: ${whyNone}`;
    }
  if (warning !== null) logger.warn(warning);
  return {
    http: bridge && { url: bridge.url },
    warning,
    get rotated() {
      return rotated;
    },
    get tokenReplacedAt() {
      return bridge?.tokenReplacedAt() ?? null;
    },
    /** The `unlock` op: a code, or a file that opens the page with one, at a place. @throws Failure `unavailable` */
    unlock: (asFile: boolean, place: string) => {
      if (bridge === null) throw refusal('unavailable', `web bridge not active yet: ${whyNone}`);
      const key = asFile ? { file: bridge.unlockFile(place) } : { code: bridge.unlockCode() };
      return { url: bridge.url, warning: rotated, ...key };
    },
    close: async () => bridge?.close(),
  };
}

function portWarning({ port, url }: Bridge, wanted: number): string | null {
  return wanted === 0 || port === wanted
    ? null
    : `port ${wanted} is in use: the web bridge listens on ${url}`;
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
