import { fileURLToPath } from 'node:url';
import { atMost, bestEffort, removeIfThere, writeWhole } from '#core/platform';
import type { Counts } from '#memory/store';
import { loadAssets } from './assets.ts';
import { oneTimeCodes } from './codes.ts';
import { listen } from './listen.ts';
import { openReader, type Reader } from './reader/reader.ts';
import { type RedirectPlace, redirects } from './redirects.ts';
import { routesOf, type Sources } from './routes.ts';
import { BridgeServer } from './server.ts';
import { Streams } from './streams.ts';
import { watchedToken } from './token.ts';
import { readUnlockPage } from './unlock-page.ts';

const bridgeSettleMs = 2_000;

export interface BridgeOptions {
  /** `~/.memd/auth.token` */
  readonly tokenFile: string;
  /** `http.port` of the workspace; exists while the bridge listens. */
  readonly portFile: string;
  readonly database: string;
  /** The folder of the files that open the page in a browser. */
  readonly redirects: () => RedirectPlace;
  /** 0: any. */
  readonly port: number;
  /** The bundle of `reader/worker.ts`, and the folder of the page. */
  readonly scripts: { readonly reader: URL; readonly page: URL };
  readonly sources: Sources;
  /** Settles when everything acknowledged is in the database. */
  readonly settled: () => Promise<void>;
  /** The event of the stream, from the reader's counts. */
  readonly live: (counts: Counts) => Promise<object>;
  /** Called at each activity of a client with the token. */
  readonly active: () => void;
  readonly internal: (error: unknown) => void;
  /** Called when a one-time code was used twice and the token was changed. */
  readonly rotated: () => void;
  /** How long a request may take to arrive; `bridgeRequestMs` by default. */
  readonly requestMs?: number;
}

export type Bridge = Awaited<ReturnType<typeof openBridge>>;

/**
 * Starts to listen.
 * @throws Failure naming the file when the token, or its folder, is not this user's alone
 */
export async function openBridge(options: BridgeOptions) {
  const { portFile, database, scripts, internal, active } = options;
  const unlock = readUnlockPage();
  const assets = loadAssets(fileURLToPath(scripts.page), unlock.policy);
  const reader = openReader({ script: scripts.reader, database });
  const streams = new Streams({
    internal,
    look: () => {
      token.look();
      return look(reader, options);
    },
  });
  const token = watchedToken(options.tokenFile, () => streams.close());
  const codes = oneTimeCodes();
  const files = redirects(options.redirects);
  const server = new BridgeServer({
    ...{ token, codes, assets, unlock, streams, active },
    usedAgain: () => {
      codes.forgetUsed();
      options.rotated();
      token.rotate();
    },
    internal,
    requestMs: options.requestMs,
    // A request sees what was acknowledged before it, unless storing that takes too long.
    routes: routesOf(options.sources, reader, () => atMost(options.settled(), bridgeSettleMs)),
  });
  const close = async (): Promise<void> => {
    // A folder at its place, which the next start names. Everything else has to end.
    bestEffort(() => removeIfThere(portFile));
    files.removeAll();
    streams.close();
    await server.close();
    await reader.close();
  };
  try {
    const port = await listen(server.http, options.port);
    server.listensOn(port);
    // For example out of descriptors: that costs the connection, not the daemon.
    server.http.on('error', internal);
    writeWhole(portFile, `${port}\n`);
    const url = `http://127.0.0.1:${port}`;
    /** A file that opens the page with such a code, at `place` (`bridgePlace`) if given; removed when the code is used or expired. */
    const unlockFile = (place = ''): string => {
      const file = files.newName();
      files.write(file, `${url}/#code=${codes.issue(() => files.remove(file))}${place}`);
      return file;
    };
    return {
      ...{ url, port, unlockFile, close },
      /** A new one-time code: its first use within a minute returns the token. */
      unlockCode: () => codes.issue(),
      /** When another program replaced the token; null: none did. */
      tokenReplacedAt: () => token.replacedAt,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** An open page counts as activity, although it asks for nothing. */
async function look(reader: Reader, { active, live }: BridgeOptions): Promise<object> {
  active();
  return live(await reader.call('counts'));
}
