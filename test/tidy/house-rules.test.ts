import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Who may import whom, a line a room. A room may import the rooms named here and `limits.ts`, through their
 * doors; nothing imports `daemon`, `hook`, `cli` or a thread's entry.
 */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  event: [],
  terms: [],
  vector: [],
  'calls/text': ['event'],
  'calls/call': ['event'],
  'calls/shell': ['calls/call', 'calls/text'],
  'calls/edits': ['calls/call', 'calls/text', 'event'],
  'calls/checks': ['calls/call', 'calls/shell', 'calls/text'],
  'calls/plan': ['calls/call', 'calls/text', 'event'],
  'calls/subjects': ['calls/call', 'calls/checks', 'calls/edits', 'calls/shell', 'calls/text', 'event'],
  'calls/facts': [
    'calls/call',
    'calls/checks',
    'calls/edits',
    'calls/plan',
    'calls/subjects',
    'calls/text',
    'event',
  ],
  model: ['event', 'platform'],
  config: ['platform'],
  workspace: ['platform'],
  redact: ['event'],
  clients: ['event', 'platform'],
  log: ['event', 'platform'],
  store: ['event', 'platform', 'terms', 'vector'],
  summarise: [
    'calls/call',
    'calls/checks',
    'calls/edits',
    'calls/facts',
    'calls/plan',
    'calls/shell',
    'calls/subjects',
    'calls/text',
    'event',
    'model',
    'platform',
    'store',
  ],
  digest: ['calls/call', 'calls/plan', 'calls/subjects', 'event', 'store'],
  embed: ['event', 'model', 'platform', 'terms', 'vector'],
  search: ['embed', 'event', 'platform', 'store', 'terms', 'vector'],
  curate: [
    'calls/call',
    'calls/edits',
    'calls/shell',
    'calls/subjects',
    'event',
    'platform',
    'redact',
    'store',
    'summarise',
  ],
  consolidate: ['config', 'curate', 'digest', 'embed', 'platform', 'store', 'summarise'],
  capture: ['clients', 'event', 'log', 'platform', 'redact', 'rpc'],
  rpc: ['event', 'platform'],
  archive: ['event', 'log', 'platform', 'redact', 'store', 'summarise'],
  outline: ['calls/call', 'calls/subjects', 'event', 'store', 'summarise'],
  recall: ['calls/call', 'calls/edits', 'calls/subjects', 'event', 'outline', 'store', 'summarise'],
  engine: ['archive', 'config', 'consolidate', 'event', 'outline', 'platform', 'recall', 'search', 'store'],
  backfill: ['capture', 'clients', 'engine', 'event', 'platform', 'redact', 'store', 'workspace'],
  boundary: ['platform', 'workspace'],
  writes: ['boundary', 'event'],
  install: ['event', 'platform', 'workspace'],
  info: ['boundary', 'platform', 'store', 'workspace'],
  lifecycle: ['event', 'platform', 'rpc', 'workspace'],
  health: [
    'archive',
    'backfill',
    'boundary',
    'bridge',
    'capture',
    'config',
    'consolidate',
    'event',
    'info',
    'install',
    'lifecycle',
    'log',
    'model',
    'platform',
    'redact',
    'rpc',
    'store',
    'summarise',
    'workspace',
  ],
  leave: ['install', 'lifecycle', 'platform', 'store', 'workspace'],
  bridge: ['event', 'platform', 'store'],
  monitor: ['event', 'platform', 'rpc', 'workspace'],
  daemon: [
    'archive',
    'backfill',
    'boundary',
    'bridge',
    'capture',
    'config',
    'consolidate',
    'engine',
    'event',
    'info',
    'lifecycle',
    'log',
    'platform',
    'rpc',
    'store',
    'workspace',
  ],
  mcp: ['event', 'info', 'platform', 'rpc', 'workspace'],
  hook: ['boundary', 'capture', 'config', 'event', 'platform', 'rpc', 'workspace', 'writes'],
  cli: [
    'archive',
    'boundary',
    'config',
    'consolidate',
    'event',
    'health',
    'info',
    'install',
    'leave',
    'lifecycle',
    'monitor',
    'platform',
    'rpc',
    'store',
    'workspace',
  ],
};

const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && fs.existsSync(path.join(root, file)));
const sources = tracked.filter((file) => /^src\/.*\.ts$/.test(file));

function textOf(file: string): string {
  return fs.readFileSync(path.join(root, file), 'utf8');
}

/** The room of a file under `src`, or null for `limits.ts` and its parts. */
function roomOf(file: string): string | null {
  const parts = file.split('/');
  if (parts.length <= 2 || parts[1] === 'limits') return null;
  return parts[1] === 'calls' ? parts.slice(1, 3).join('/') : (parts[1] ?? null);
}

interface Import {
  readonly from: string;
  readonly to: string;
}

const isTest = (file: string): boolean => /\.test\.ts$|-for-tests\.ts$/.test(file);

/** Imports between files of ours; `to` is relative to the root. */
function importsOf(file: string): Import[] {
  const found = textOf(file).matchAll(/(?:from|import)\s+['"](\.[^'"]+)['"]/g);
  return [...found].map(([, target = '']) => ({
    from: file,
    to: path.posix.normalize(path.posix.join(path.posix.dirname(file), target)),
  }));
}

describe('the rooms', () => {
  test('every room is in the table, and the table has no room that is not there', () => {
    const rooms = new Set(sources.map(roomOf).filter((room) => room !== null));
    expect([...rooms].sort()).toEqual(Object.keys(mayImport).sort());
  });

  test('a room imports only the rooms that the table allows, through their doors', () => {
    const wrong = sources
      .filter((file) => !isTest(file))
      .flatMap(importsOf)
      .filter(({ from, to }) => {
        const here = roomOf(from);
        const there = roomOf(to);
        if (there === null || here === there) return false;
        if (here === null) return true;
        const isDoor = to === `src/${there}/index.ts`;
        return !(mayImport[here] ?? []).includes(there) || !isDoor;
      });
    expect(wrong).toEqual([]);
  });

  test('the table has no cycle', () => {
    const visit = (room: string, trail: readonly string[]): string[] => {
      if (trail.includes(room)) return [[...trail, room].join(' -> ')];
      return (mayImport[room] ?? []).flatMap((next) => visit(next, [...trail, room]));
    };
    expect(Object.keys(mayImport).flatMap((room) => visit(room, []))).toEqual([]);
  });

  test('a door says what the room promises before it exports anything', () => {
    const doors = sources.filter((file) => /^src\/(?:calls\/)?[^/]+\/index\.ts$/.test(file));
    const silent = doors.filter((file) => !/^\/\*\*\n( \* .*\n){1,8} \*\/\n/.test(textOf(file)));
    expect(silent).toEqual([]);
  });
});

describe('the files', () => {
  test('no source file is over 300 lines', () => {
    const long = sources.filter((file) => textOf(file).split('\n').length > 301);
    expect(long).toEqual([]);
  });

  test('commands print JSON by jsonText, which passes nothing that a terminal obeys', () => {
    const commands = sources.filter((file) => /^src\/cli\/commands\//.test(file));
    expect(commands.length).toBeGreaterThan(20);
    expect(commands.filter((file) => textOf(file).includes('JSON.stringify'))).toEqual([]);
  });

  test('there is no room for leftovers', () => {
    expect(tracked.filter((file) => /(^|\/)(utils?|common|helpers?|misc)(\/|\.)/.test(file))).toEqual([]);
  });

  test('nothing is skipped, focused or left for later', () => {
    const pattern = /\b(it|test|describe)\.(only|todo)\(|@ts-(ignore|nocheck)|\b(TODO|FIXME)\b|catch \{\s*\}/;
    const found = tracked
      .filter((file) => /\.(ts|mjs)$/.test(file) && !file.startsWith('test/tidy/'))
      .filter((file) => pattern.test(textOf(file)));
    expect(found).toEqual([]);
  });

  test('the lock file holds the binaries of every platform, not only of the one it was made on', () => {
    const { packages } = JSON.parse(textOf('package-lock.json')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const wanted = Object.values(packages).flatMap((one) => Object.keys(one.optionalDependencies ?? {}));
    const missing = wanted.filter((name) => packages[`node_modules/${name}`] === undefined);
    expect(missing).toEqual([]);
  });

  test('the lock file names no place to download from', () => {
    expect(textOf('package-lock.json')).not.toMatch(/"resolved"/);
  });
});
