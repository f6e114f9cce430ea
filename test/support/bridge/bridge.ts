import fs from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { JsonObject } from '#core/event';
import { Failure } from '#core/platform';
import { openStore, type Store } from '#memory/store';
import { type Bridge, type BridgeOptions, openBridge } from '../../../src/service/bridge/bridge.ts';

export interface TestBridge {
  readonly bridge: Bridge;
  readonly store: Store;
  readonly folder: string;
  readonly token: string;
  /** What was no refusal. */
  readonly errors: unknown[];
  close(): Promise<void>;
}

/** For one test file: opens bridges, and closes each after its test, which must have met no error that is no refusal. */
export function testBridges(): (count?: number, more?: Partial<BridgeOptions>) => Promise<TestBridge> {
  let built: BuiltReader;
  const opened: TestBridge[] = [];
  beforeAll(async () => {
    built = await buildReader();
  });
  afterAll(() => built.remove());
  afterEach(async () => {
    for (const one of opened.splice(0)) {
      await one.close();
      expect(one.errors).toEqual([]);
    }
  });
  return async (count, more) => {
    const one = await newBridge(built.script, count, more);
    opened.push(one);
    return one;
  };
}

/** What the routes answer, as far as tests look at it. */
export interface Body {
  readonly summaries: readonly { readonly id: number }[];
  readonly sessions: readonly object[];
  readonly steps: readonly object[];
  readonly last: string;
  readonly isEnd: boolean;
  readonly next: string;
  readonly nodes: readonly { readonly id: number }[];
  readonly edges: readonly { readonly from: number; readonly to: number }[];
  readonly cut: boolean;
  readonly payload: string;
  readonly payloadCut: boolean;
  readonly counts: { readonly events: number };
  readonly error: { readonly code: string; readonly message: string };
}

export const authorized = ({ token }: TestBridge) => ({ authorization: `Bearer ${token}` });

export async function bodyOf(response: Response): Promise<Body> {
  return JSON.parse(await response.text());
}

/** GET with the token; the status must be `status`. */
export async function get(one: TestBridge, target: string, status = 200): Promise<Body> {
  const response = await fetch(one.bridge.url + target, { headers: authorized(one) });
  expect(response.status).toBe(status);
  return bodyOf(response);
}

/** A bridge on a store of `count` memories, sessions `s0`, `s1`, `s2` in turn, with a page of three files. */
export async function newBridge(
  script: URL,
  count = 6,
  more: Partial<BridgeOptions> = {},
): Promise<TestBridge> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-bridge-'));
  const database = path.join(folder, 'db.sqlite');
  const store = openStore(database);
  remember(store, 0, count);
  writePage(path.join(folder, 'web'));
  const errors: unknown[] = [];
  const tokenFile = path.join(folder, 'auth.token');
  const bridge = await openBridge({
    tokenFile,
    portFile: path.join(folder, 'http.port'),
    database,
    redirects: () => ({ folder, begin: 'page-' }),
    port: 0,
    scripts: { reader: script, page: pathToFileURL(`${folder}/web/`) },
    sources: {
      projects: async () => ({ projects: [] }),
      status: async () => ({ counts: store.stats.counts() }),
      search: async (request) => ({ hits: [], asked: textOf(request) }),
      why: async ({ id }) => (id === 1 ? { id } : null),
      standing: async () => ({ uncommitted: [], committed: [] }),
      standings: async (ids) => new Map(ids.map((id) => [id, { uncommitted: [], ending: 'looked' }])),
      states: async ({ ids }) =>
        new Map(ids.map((id) => [id, { verdict: 'unknown', detail: 'not checked' }])),
    },
    settled: async () => {},
    live: async (counts) => ({ counts }),
    active: () => {},
    rotated: () => {},
    internal: (error) => errors.push(error),
    ...more,
  });
  return {
    bridge,
    store,
    folder,
    token: fs.readFileSync(tokenFile, 'utf8'),
    errors,
    close: async () => {
      await bridge.close();
      fs.rmSync(folder, { recursive: true, force: true });
      store.close();
    },
  };
}

/** Stores events `from` to `from + count - 1`, a second apart, with a summary each. */
export function remember(store: Store, from: number, count: number): void {
  const events = Array.from({ length: count }, (_, at) => ({
    id: `ev_${from + at}`,
    tool: (from + at) % 2 === 0 ? 'Read' : 'Bash',
    input: { file_path: `src/part-${from + at}.ts` },
    output: `text ${from + at}`,
    sessionId: `s${(from + at) % 3}`,
    toolUseId: `call_${from + at}`,
    ts: new Date(Date.UTC(2026, 0, 1, 0, 0, from + at)).toISOString(),
    client: 'claude-code' as const,
    isError: (from + at) % 5 === 4,
    cwd: '/p',
  }));
  store.events.insert(events);
  const rows = store.events.claim('tester', 0, count, Date.now());
  store.summaries.finish(
    'tester',
    rows.map((row, at) => ({
      eventSeq: row.seq,
      text: `did ${from + at}`,
      terms: `term${from + at}`,
      model: 'm',
    })),
  );
}

function textOf({ query }: JsonObject): string {
  if (typeof query === 'string') return query;
  throw new Failure('bad_request', 'search: query: it must be a text');
}

function writePage(folder: string): void {
  fs.mkdirSync(path.join(folder, 'assets'), { recursive: true });
  fs.writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>page</title>');
  fs.writeFileSync(path.join(folder, 'assets/app.js'), 'export {};');
  fs.writeFileSync(path.join(folder, 'assets/app.css'), 'body {}');
  fs.writeFileSync(path.join(folder, 'assets/app.js.map'), '{}');
}

export interface BuiltReader {
  readonly script: URL;
  remove(): void;
}

/** The reader's bundle, as `scripts/build.mjs` makes it, where it finds its native module. */
export async function buildReader(): Promise<BuiltReader> {
  const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
  const folder = fs.mkdtempSync(path.join(modules, '.memd-reader-'));
  const outfile = path.join(folder, 'bridge.cjs');
  await build({
    entryPoints: [fileURLToPath(new URL('../../../src/service/bridge/reader/worker.ts', import.meta.url))],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['@photostructure/sqlite'],
    outfile,
  });
  return { script: pathToFileURL(outfile), remove: () => fs.rmSync(folder, { recursive: true }) };
}

export interface Reply {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends bytes and takes what comes until the other side closes. Null when that is nothing. */
export function exchange(port: number, bytes: string): Promise<Reply | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: '127.0.0.1', port });
    socket.on('data', (chunk) => chunks.push(chunk));
    // Reset while we still send: what came before counts.
    socket.on('error', (error) => (chunks.length === 0 ? reject(error) : undefined));
    socket.on('close', () => resolve(parsed(Buffer.concat(chunks).toString('utf8'))));
    socket.write(bytes);
  });
}

export interface RequestParts {
  readonly method?: string;
  readonly target?: string;
  readonly headers: readonly string[];
  readonly body?: string;
}

/** A request's bytes, header lines as given. The connection is closed after it. */
export function requestText({ method = 'GET', target = '/', headers, body = '' }: RequestParts): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const lines = [`${method} ${target} HTTP/1.1`, ...headers, ...length, 'Connection: close'];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

function parsed(text: string): Reply | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((line) => {
    const at = line.indexOf(':');
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
  });
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: text.slice(end + 4),
  };
}
