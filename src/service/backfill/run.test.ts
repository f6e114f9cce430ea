import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ToolEvent } from '#core/event';
import { type BackfillOptions, runBackfill } from './run.ts';
import { transcriptsOf } from './sources.ts';

let home: string;
let root: string;
beforeEach(() => {
  home = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-run-')));
  root = path.join(home, 'project');
  fs.mkdirSync(path.join(root, '.git'), { recursive: true });
});
afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

/** A Codex rollout with one finished call for each id. */
function rollout(name: string, cwd: string, ids: readonly string[]): string {
  const item = (payload: object): string => `${JSON.stringify({ type: 'response_item', payload })}\n`;
  const lines = ids.flatMap((id) => [
    item({ type: 'function_call', name: 'shell', arguments: '{"command":"make"}', call_id: id }),
    item({ type: 'function_call_output', call_id: id, output: 'made' }),
  ]);
  const file = path.join(home, '.codex', 'sessions', `rollout-${name}.jsonl`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const meta = { type: 'session_meta', payload: { id: name, cwd } };
  fs.writeFileSync(file, [`${JSON.stringify(meta)}\n`, ...lines].join(''));
  return file;
}

/** Stores by id, as the engine does. */
function storing(onBatch: (events: readonly ToolEvent[]) => void = () => {}): BackfillOptions['store'] {
  const ids = new Set<string>();
  return async (events) => {
    onBatch(events);
    const before = ids.size;
    for (const { id } of events) ids.add(id);
    return { inserted: ids.size - before, duplicates: events.length - (ids.size - before) };
  };
}

async function run(store = storing()) {
  const found = await transcriptsOf({ root, home, env: {} });
  try {
    return await runBackfill({ found, store, progress: () => {} });
  } finally {
    found.close?.();
  }
}

it('counts what it did, by assistant as well', async () => {
  rollout('a', root, ['c1', 'c2']);
  rollout('b', path.join(root, 'below', 'gone'), ['c3']);
  rollout('c', `${root}-evil`, ['c4']);
  for (const cwd of ['relative', '/bad\0name', `/${'x'.repeat(10_000)}`])
    rollout(`d${cwd.length}`, cwd, ['c5']);
  const store = storing();
  expect(await run(store)).toMatchObject({
    scanned: 2,
    captured: 3,
    duplicates: 0,
    unreadable: [],
    clients: { codex: { scanned: 2, captured: 3, duplicates: 0 } },
  });
  expect(await run(store)).toMatchObject({ clients: { codex: { scanned: 2, captured: 0, duplicates: 3 } } });
});

it('takes a file that is removed or damaged meanwhile as that, and the others as they are', async () => {
  const gone = rollout('gone', root, ['c1']);
  rollout('kept', root, ['c2']);
  const found = await transcriptsOf({ root, home, env: {} });
  fs.rmSync(gone);
  const result = await runBackfill({
    found,
    store: storing(),

    progress: () => {},
  });
  expect(result).toMatchObject({ scanned: 2, captured: 1, unreadable: [expect.stringContaining(gone)] });
});

it('reads a file that grows while it is read, and takes the rest the next time', async () => {
  const ids = Array.from({ length: 400 }, (_, at) => `c${at}`);
  const file = rollout('long', root, ids);
  const more = fs
    .readFileSync(rollout('more', '/elsewhere', ['later']), 'utf8')
    .split('\n')
    .slice(1)
    .join('\n');
  let grown = false;
  const store = storing(() => {
    if (!grown) fs.appendFileSync(file, `${more}{"type":"response_item","payl`);
    grown = true;
  });
  const first = await run(store);
  expect(first.captured).toBeGreaterThanOrEqual(ids.length);
  expect(first.unreadable).toEqual([]);
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/\{"type":"response_item","payl$/, ''));
  const second = await run(store);
  expect(first.captured + second.captured).toBe(ids.length + 1);
  expect(second).toMatchObject({ malformed: 0 });
});
