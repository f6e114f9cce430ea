import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/**
 * Which wings a wing may import, in the order in which the data goes: never one to its right. `core/limits.ts`, `core/version.ts` and the
 * types of `core/event/json.ts`, which the page shares, are open to all.
 */
const wings: Readonly<Record<string, readonly string[]>> = {
  core: [],
  assistants: ['core'],
  redact: ['core'],
  reading: ['core'],
  capture: ['core', 'assistants', 'redact', 'reading'],
  guard: ['core', 'assistants'],
  memory: ['core', 'assistants', 'redact', 'reading', 'capture'],
  query: ['core', 'reading', 'memory'],
  service: ['core', 'assistants', 'redact', 'capture', 'guard', 'memory', 'query'],
  surfaces: ['core', 'assistants', 'redact', 'reading', 'capture', 'guard', 'memory', 'service'],
};

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folders of assistants: each uses what they share, and none another. */
const assistantRooms = fs
  .readdirSync(path.join(root, 'src/assistants'))
  .filter((name) => name !== 'form' && name !== 'table');

/** Inside each wing: which rooms a room may import. A room that is missing imports none of its wing. */
const rooms: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  core: {
    model: ['event', 'platform'],
    rpc: ['event', 'platform'],
    text: ['event'],
    thread: ['platform'],
    config: ['platform'],
    workspace: ['platform'],
  },
  assistants: {
    ...Object.fromEntries(assistantRooms.map((name) => [name, ['form']])),
    table: ['form', ...assistantRooms],
  },
  redact: {
    names: ['form'],
    rules: ['form'],
    scanners: ['form', 'names'],
    engine: ['form', 'names', 'rules', 'scanners'],
  },
  reading: {
    call: ['text'],
    shell: ['text', 'call'],
    edits: ['text', 'call'],
    plan: ['text', 'call'],
    checks: ['text', 'call', 'shell'],
    subjects: ['text', 'call', 'shell', 'edits', 'checks'],
    comparable: ['call', 'edits', 'subjects'],
    facts: ['text', 'call', 'edits', 'plan', 'checks', 'subjects'],
    talk: ['text', 'terms'],
  },
  capture: { intake: ['clients', 'log'] },
  guard: { writes: ['boundary'] },
  memory: {
    embed: ['vector'],
    store: ['vector'],
    summarise: ['store'],
    account: ['store'],
    curate: ['store', 'summarise'],
    archive: ['store', 'summarise'],
    replicate: ['store', 'summarise', 'archive'],
    consolidate: ['vector', 'store', 'summarise', 'account', 'embed', 'curate'],
  },
  query: { search: ['state', 'when'], outline: ['state'], recall: ['outline', 'state'] },
  service: {
    adopt: ['lifecycle'],
    backfill: ['engine'],
    sync: ['lifecycle'],
    daemon: ['adopt', 'engine', 'backfill', 'bridge', 'info', 'lifecycle'],
  },
  surfaces: {
    uninstall: ['install'],
    health: ['install'],
    cli: ['install', 'uninstall', 'health', 'monitor'],
  },
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

const wingOf = (file: string): string => file.split('/')[1] ?? '';
/** `core/platform`; of a file that is in a wing itself its own name: `core/limits.ts`. */
const roomOf = (file: string): string => file.split('/').slice(1, 3).join('/');
const isTest = (file: string): boolean => /\.test\.ts$/.test(file);

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Imports between files of ours, also those on demand; `to` is relative to the root. `#core/event` is that room's door. */
function importsOf(file: string): Import[] {
  const found = textOf(file).matchAll(/(?:from|import)\s*\(?\s*['"]([.#][^'"]+)['"]/g);
  return [...found].map(([, target = '']) => ({
    from: file,
    to: target.startsWith('#')
      ? target.replace('#', 'src/') + (target === '#core/limits' ? '.ts' : '/index.ts')
      : path.posix.normalize(path.posix.join(path.posix.dirname(file), target)),
  }));
}

const code = sources.filter((file) => !isTest(file));
const imports = code.flatMap(importsOf);

describe('the wings', () => {
  test('src has the wings of the table and nothing else', () => {
    expect([...new Set(sources.map(wingOf))].sort()).toEqual(Object.keys(wings).sort());
    const named = Object.entries(rooms).flatMap(([wing, of]) =>
      Object.keys(of).map((room) => `${wing}/${room}`),
    );
    const there = new Set(sources.map(roomOf));
    expect(named.filter((room) => !there.has(room))).toEqual([]);
  });

  test('a wing imports only those before it, a room only those of its table, each through its door', () => {
    const wrong = imports.filter(({ from, to }) => {
      if (roomOf(from) === roomOf(to) || /^src\/core\/(?:limits|version|event\/json)\.ts$/.test(to))
        return false;
      const [wing, other] = [wingOf(from), wingOf(to)];
      const room = (file: string): string => roomOf(file).split('/')[1] ?? '';
      const isAllowed =
        wing === other
          ? (rooms[wing]?.[room(from)] ?? []).includes(room(to))
          : (wings[wing] ?? []).includes(other);
      return !isAllowed || to !== `src/${roomOf(to)}/index.ts`;
    });
    expect(wrong).toEqual([]);
  });

  test('the tables have no cycle', () => {
    const visit = (
      of: Readonly<Record<string, readonly string[]>>,
      at: string,
      trail: readonly string[],
    ): string[] =>
      trail.includes(at)
        ? [[...trail, at].join(' -> ')]
        : (of[at] ?? []).flatMap((next) => visit(of, next, [...trail, at]));
    const tables = [wings, ...Object.values(rooms)];
    expect(tables.flatMap((of) => Object.keys(of).flatMap((at) => visit(of, at, [])))).toEqual([]);
  });

  test('no file imports itself through others', () => {
    const next = new Map(
      code.map((file) => [file, imports.filter(({ from }) => from === file).map(({ to }) => to)]),
    );
    const done = new Set<string>();
    const cycles: string[] = [];
    const visit = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' -> '));
      if (trail.includes(file) || done.has(file)) return;
      for (const other of next.get(file) ?? []) visit(other, [...trail, file]);
      done.add(file);
    };
    for (const file of code) visit(file, []);
    expect(cycles).toEqual([]);
  });

  test('a door says what the room promises before it exports anything', () => {
    const doors = sources.filter((file) => /^src\/[^/]+\/[^/]+\/index\.ts$/.test(file));
    expect(doors.length).toBeGreaterThan(30);
    const silent = doors.filter((file) => !/^\/\*\*\n( \* .*\n){1,8} \*\/\n/.test(textOf(file)));
    expect(silent).toEqual([]);
  });

  test('nothing reads back what memd prints: labels of digests, leads of summaries, numbers of memories', () => {
    const label =
      /(?:Goal|Outcome|Changed|Committed|Decided|Ended|Looked at)(?:\)|\?)?: (?:\(|\.|\[)|\[A-Z\]\[a-z \]|\^\(\?:Edited|\bEdited\|Created|\^The (?:\\w|\(\?:user)|\[?\(\?:Afterwards|\^#\(\\d|\/ passed \/|\^\\w\+: \//;
    const readers = tracked.filter(
      (file) => /^(?:web|src\/(?:query|service|surfaces))\/.*\.tsx?$/.test(file) && !isTest(file),
    );
    expect(readers.length).toBeGreaterThan(80);
    expect(readers.filter((file) => label.test(textOf(file)))).toEqual([]);
  });

  test('only core/platform asks on which platform it runs', () => {
    const asking = sources.filter((file) =>
      /process\.platform|os\.platform\(|['"`]\/proc\//.test(textOf(file)),
    );
    expect(asking.filter((file) => !/^src\/core\/platform\/|\.test\.ts$/.test(file))).toEqual([]);
  });

  test('what only tests use is under test', () => {
    expect(tracked.filter((file) => /^src\/.*(?:-for-tests\.ts$|\/fixtures\/)/.test(file))).toEqual([]);
  });
});

describe('the files', () => {
  test('no source file is over 300 lines', () => {
    const long = sources.filter((file) => textOf(file).split('\n').length > 301);
    expect(long).toEqual([]);
  });

  test('commands print JSON by jsonText, which passes nothing that a terminal obeys', () => {
    const commands = sources.filter((file) => /^src\/surfaces\/cli\/commands\//.test(file));
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

  test('the workflows run npm scripts that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const workflows = tracked.filter((file) => file.startsWith('.github/workflows/'));
    const run = workflows.flatMap((file) => [...textOf(file).matchAll(/npm run ([\w:]+)/g)]);
    expect(run.length).toBeGreaterThan(3);
    expect(run.map(([, name = '']) => name).filter((name) => scripts[name] === undefined)).toEqual([]);
  });
});
