import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultConfig } from '#core/config';
import { ensureFolders, layout } from '#core/workspace';
import { Archive } from '#memory/archive';
import { carryOut, Replica, type SyncStep } from '#memory/replicate';
import { openStore, type Store } from '#memory/store';
import { event } from '../../../test/support/archive/stores.ts';
import { initSync, sync } from './index.ts';

/** How many interleavings; the seed of a failure is in its message. */
const runs = Number(process.env.MEMD_SYNC_RUNS ?? 2);
const seed = process.env.MEMD_SYNC_SEED === undefined ? {} : { seed: Number(process.env.MEMD_SYNC_SEED) };

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-sync-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

class Interrupted extends Error {}

/** A device: its store and what the daemon does with it, without the processes. */
class Device {
  readonly store: Store;
  readonly archive: Archive;
  readonly #replica: Replica;
  readonly #workspace;

  constructor(home: string, project: string) {
    this.#workspace = layout(home, 'default', project);
    ensureFolders(this.#workspace);
    this.store = openStore(this.#workspace.database);
    this.archive = new Archive(this.store, this.#workspace.folder);
    this.#replica = new Replica(this.store, this.#workspace.folder);
  }

  init(remote: string) {
    return initSync(this.#workspace, { remote, cwd: '/' });
  }

  /** `steps`: it ends as by a kill before so many steps are done. */
  async sync(steps = Number.POSITIVE_INFINITY): Promise<void> {
    let left = steps;
    const ask = (step: SyncStep) => {
      left -= 1;
      if (left < 0) throw new Interrupted();
      return this.archive.inTurn(() => carryOut(this.#replica, step));
    };
    const config = { ...defaultConfig(), 'sync.encrypt': false, 'sync.author': 'me@example.com' };
    const options = { workspace: this.#workspace, config, env: process.env, ask, prompt: null };
    try {
      await sync(options, 'both', false);
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
    }
  }

  summarise(): void {
    const claimed = this.store.events.claim('tester', 0, 100, Date.now());
    const summaries = claimed.map(({ seq, id }) => ({
      eventSeq: seq,
      text: id.startsWith('twin') ? 'twin' : `did ${id}`,
      terms: id.startsWith('twin') ? 'twin' : id,
      model: 'm',
    }));
    this.store.summaries.finish('tester', summaries);
  }

  some(at: number): number | null {
    const rows = this.store.connection.all('SELECT id FROM summaries ORDER BY event_id');
    return rows.length === 0 ? null : Number(rows[at % rows.length]?.id);
  }

  ids(): string[] {
    return this.store.connection.all('SELECT id FROM events').map((row) => String(row.id));
  }

  memories(): unknown[] {
    const sql = `SELECT e.id, e.payload_json, s.text, s.pinned FROM events e LEFT JOIN summaries s ON s.event_id = e.id ORDER BY e.id`;
    return this.store.connection.all(sql);
  }
}

/** A commit whose files are not memd's, or are its names with other contents. */
function garbageIn(remote: string): string {
  const git = (input: string, ...args: string[]) =>
    execFileSync('git', ['-C', remote, ...args], { input, encoding: 'utf8', env: someone }).trim();
  const blob = git(
    '{"format":"memd-sync","version":1}\n{"type":"removed"}\n',
    'hash-object',
    '-w',
    '--stdin',
  );
  const file = git(`100644 blob ${blob}\t00000001.ndjson\n100644 blob ${blob}\tREADME\n`, 'mktree');
  const device = git(`040000 tree ${file}\t${'ab'.repeat(16)}\n`, 'mktree');
  const tree = git(`040000 tree ${device}\tdevices\n100644 blob ${blob}\tREADME\n`, 'mktree');
  return git('', 'commit-tree', tree, '-m', 'garbage');
}
const who = { name: 'a', email: 'a@example.com' };
const someone = {
  ...process.env,
  ...{ GIT_AUTHOR_NAME: who.name, GIT_AUTHOR_EMAIL: who.email },
  ...{ GIT_COMMITTER_NAME: who.name, GIT_COMMITTER_EMAIL: who.email },
};

const step = fc.record({
  device: fc.nat(4),
  act: fc.oneof(
    { weight: 5, arbitrary: fc.constant('capture' as const) },
    { weight: 4, arbitrary: fc.constantFrom('pin' as const, 'unpin' as const, 'forget' as const) },
    { weight: 2, arbitrary: fc.constantFrom('summarise' as const, 'twin' as const, 'prune' as const) },
    { weight: 4, arbitrary: fc.constant('sync' as const) },
    {
      weight: 2,
      arbitrary: fc.constantFrom('kill' as const, 'rewind' as const, 'garbage' as const, 'delete' as const),
    },
  ),
  number: fc.nat(40),
});

/** What the property has found, shortened. */
const found = [
  // The remote goes back to a segment of this device that held what was forgotten since.
  (['capture', 'sync', 'capture', 'sync', 'summarise', 'forget', 'sync', 'rewind'] as const).map((act) => ({
    device: 1,
    act,
    number: 0,
  })),
];

test.each([2, 5])(
  '%i devices converge: nothing lost, nothing doubled, nothing forgotten returns',
  { timeout: 0 },
  async (count) => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 40 }), async (steps) => {
      const root = fs.mkdtempSync(path.join(folder, 'run-'));
      const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
      const remote = path.join(root, 'memory.git');
      git('init', '-q', '--bare', remote);
      const devices = await Promise.all(
        Array.from({ length: count }, async (_, at) => {
          const project = path.join(root, `home-${at}`, 'project');
          fs.mkdirSync(project, { recursive: true });
          const device = new Device(path.join(root, `home-${at}`), fs.realpathSync(project));
          await device.init(remote);
          return device;
        }),
      );
      const branch = 'refs/heads/memd/name-project';
      const tips: string[] = [];
      const [captured, forgotten, pruned] = [new Set<string>(), new Set<string>(), new Set<string>()];
      const garbage = garbageIn(remote);
      for (const [at, { device: which, act, number }] of steps.entries()) {
        const device = devices[which % count];
        if (device === undefined) continue;
        const id = device.some(number);
        if (act === 'capture') {
          const one = event(at, { output: `unique-${at}-word` });
          device.store.events.insert([one]);
          captured.add(one.id);
        } else if (act === 'summarise') device.summarise();
        else if (act === 'pin' || act === 'unpin') {
          if (id !== null) device.store.summaries.pin(id, act === 'pin');
        } else if (act === 'forget') {
          const [memory] = id === null ? [] : device.store.summaries.get([id]);
          if (memory !== undefined) {
            forgotten.add(memory.eventId);
            await device.archive.forget(memory.id);
          }
        } else if (act === 'twin') {
          // Its duplicates can be pruned.
          const same = { input: { command: 'twin' }, output: 'twin', sessionId: 's0' };
          const one = event(at, { id: `twin_${at}`, toolUseId: `twin_${at}`, ...same });
          device.store.events.insert([one]);
          captured.add(one.id);
        } else if (act === 'prune') {
          const before = device.ids();
          await device.archive.prune();
          const left = new Set(device.ids());
          for (const one of before) if (!left.has(one)) pruned.add(one);
        } else if (act === 'garbage') {
          git('-C', remote, 'update-ref', branch, garbage);
        } else if (act === 'delete') {
          git('-C', remote, 'update-ref', '-d', branch);
        } else if (act === 'rewind') {
          const to = tips[number % Math.max(tips.length, 1)];
          if (to !== undefined) git('-C', remote, 'update-ref', branch, to);
        } else await device.sync(act === 'kill' ? number % 12 : undefined);
        const [tip = ''] = git('-C', remote, 'for-each-ref', '--format=%(objectname)', branch).split('\n');
        if (tip !== '' && !tips.includes(tip)) tips.push(tip);
      }
      for (const device of devices) device.summarise();
      for (let round = 0; round < 3; round += 1) for (const device of devices) await device.sync();
      const [first, ...others] = devices.map((device) => device.memories());
      for (const other of others) expect(other).toEqual(first);
      const ids = (first ?? []).map((row) => (row as { id: string }).id);
      expect(ids).toEqual([...captured].filter((one) => !forgotten.has(one) && !pruned.has(one)).sort());
      const files = git('-C', remote, 'ls-tree', '-r', '--name-only', branch).split('\n').filter(Boolean);
      const text = files.map((file) => git('-C', remote, 'show', `${branch}:${file}`)).join('\n');
      for (const one of forgotten) expect(text).not.toContain(`unique-${one.slice(3)}-word`);
      for (const device of devices) device.store.close();
      fs.rmSync(root, { recursive: true, force: true });
    });
    const numRuns = runs + found.length;
    await fc.assert(property, {
      numRuns,
      examples: found.map((steps) => [steps]),
      endOnFailure: true,
      ...seed,
    });
  },
);
