import fs from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isObject, type Json } from '#core/event';
import { archiveLineBytesMax, archivePartBytes } from '#core/limits';
import type { Store } from '#memory/store';
import { bodyOf, event, fill, TestStores, takeIn } from '../../../test/support/archive/stores.ts';
import { runs } from '../../../test/support/runs.ts';
import { importAll, importPart } from './import.ts';
import { exportLines, rowOf } from './line.ts';
import { writeLines } from './whole-file.ts';

let stores: TestStores;
const newStore = (): Store => stores.open();
const fileOf = (name: string): string => stores.file(name);

beforeEach(() => {
  stores = new TestStores();
});
afterEach(() => stores.remove());

describe('an export', () => {
  test('of anything comes back to the letter, in order, under the same ids', async () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json);
    const texts = fc.string({ unit: 'grapheme', maxLength: 60 });
    const calls = fc.array(fc.record({ input: json, output: json, text: texts }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(calls, async (all) => {
        const [from, to] = [newStore(), newStore()];
        // What capture would have redacted, or JSON writes in another way, is no part of this promise.
        const plain = all.filter(
          ({ input, output }) => !JSON.stringify([input, output]).includes('"__proto__"'),
        );
        fill(
          from,
          plain.map(({ input, output }, at) => event(at, { input, output })),
        );
        const lines = [...exportLines(from)];
        await writeLines(fileOf('all.ndjson'), lines);
        const took = await takeIn(to, fileOf('all.ndjson'));
        if (took.redacted === 0) expect(bodyOf(to)).toEqual(bodyOf(from));
        expect(took.bad).toBe(0);
        expect(took.events).toBe(plain.length);
        // Once more changes nothing.
        const before = bodyOf(to);
        expect(await takeIn(to, fileOf('all.ndjson'))).toMatchObject({ events: 0, summaries: 0, loose: 0 });
        expect(bodyOf(to)).toEqual(before);
        stores.close();
      }),
      { numRuns: runs(8) },
    );
  });

  test('of many pages is imported in parts, each in a transaction, with summaries next to their events', async () => {
    const [from, to] = [newStore(), newStore()];
    fill(
      from,
      Array.from({ length: 700 }, (_, at) => event(at, { output: `${at} `.repeat(600) })),
    );
    await writeLines(fileOf('all.ndjson'), exportLines(from));
    const parts: number[] = [];
    const took = await importAll(
      { file: fileOf('all.ndjson'), forgotten: false },
      (step) => {
        const raw =
          'SELECT count(*) AS n FROM events WHERE status = ? AND id NOT IN (SELECT event_id FROM summaries)';
        expect(to.connection.get(raw, 'summarized')).toEqual({ n: 0 });
        return importPart(to, step);
      },
      (bytes) => parts.push(bytes),
    );
    expect(took).toMatchObject({ events: 700, summaries: 560, bad: 0 });
    expect(parts.length).toBeGreaterThan(3);
    expect(
      parts.every((at, index) => index === 0 || at - (parts[index - 1] ?? 0) < 2 * archivePartBytes),
    ).toBe(true);
    expect(parts.at(-1)).toBe(fs.statSync(fileOf('all.ndjson')).size);
    expect(bodyOf(to)).toEqual(bodyOf(from));
  });

  test('gives a summary another id where its own is taken, and its edges follow', async () => {
    const [from, to] = [newStore(), newStore()];
    fill(from, [event(1), event(2), event(3), event(4), event(5)]);
    from.edges.add([{ from: 2, to: 1, kind: 'supersedes', evidence: 'e', ts: '2026-01-01T00:00:00.000Z' }]);
    fill(to, [event(101), event(102)]);
    await writeLines(fileOf('all.ndjson'), exportLines(from));
    expect(await takeIn(to, fileOf('all.ndjson'))).toMatchObject({ events: 5, summaries: 4, edges: 1 });
    const idOf = (eventId: string) =>
      Number(to.connection.get('SELECT id FROM summaries WHERE event_id = ?', eventId)?.id);
    expect(to.edges.touching([idOf('ev_1')])).toMatchObject([{ from: idOf('ev_2'), to: idOf('ev_1') }]);
    expect(to.summaries.get([1])[0]?.eventId).toBe('ev_101');
    expect(['ev_1', 'ev_2', 'ev_3', 'ev_4'].map(idOf)).toEqual([3, 4, 5, 6]);
  });
});

describe('a line', () => {
  test('that is not an archive is reported without quoting it', () => {
    const secret = 'hunter2-hunter2';
    const lines = [
      secret,
      `"${secret}"`,
      `{"type":"${secret}"}`,
      `{"type":"prompt","id":{"${secret}":1}}`,
      '[]',
      '1',
    ];
    for (const line of lines) {
      const read = rowOf(line);
      expect('reason' in read && read.reason).toMatch(/./);
      expect(JSON.stringify(read)).not.toContain(secret);
    }
  });

  test('of any JSON is either a row or refused with a reason', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('event', 'summary', 'edge', 'prompt', 'digest', 'forgotten'),
        (value, type) => {
          const object: Json = JSON.parse(JSON.stringify(value));
          const line = JSON.stringify(isObject(object) ? { ...object, type } : object);
          expect(Object.keys(rowOf(line)).length).toBe(1);
        },
      ),
    );
  });

  test('that is endless, or no UTF-8, is passed over in bounded memory', async () => {
    const from = newStore();
    fill(from, [event(1)]);
    const [head = '', ...lines] = exportLines(from);
    const endless = Buffer.alloc(archiveLineBytesMax + 10, 'x');
    const bytes = [`${head}\n`, endless, '\n', Buffer.from([0x22, 0xff, 0x22]), '\n', lines.join('\n')];
    fs.writeFileSync(fileOf('odd.ndjson'), Buffer.concat(bytes.map((part) => Buffer.from(part))));
    const took = await takeIn(newStore(), fileOf('odd.ndjson'));
    expect(took).toMatchObject({ events: 1, summaries: 1, bad: 2 });
    expect(took.badLines).toEqual([
      { line: 2, reason: `longer than ${archiveLineBytesMax} bytes` },
      { line: 3, reason: 'not UTF-8' },
    ]);
  });
});

test('a file is there as a whole or not at all', async () => {
  const file = fileOf('some.ndjson');
  await writeLines(file, ['old']);
  const failing = function* (): Generator<string> {
    yield 'new';
    throw new Error('the disk is gone');
  };
  await expect(writeLines(file, failing())).rejects.toThrow('the disk is gone');
  expect(stores.names()).toEqual(['some.ndjson']);
  expect(fs.readFileSync(file, 'utf8')).toBe('old\n');
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
});

describe('a file in a folder in which others may write', () => {
  test('follows no link that was put under the names next to it', async () => {
    const file = fileOf('all.ndjson');
    const victim = fileOf('victim');
    fs.writeFileSync(victim, 'precious');
    for (const name of [`${file}.${process.pid}.tmp`, `${file}.tmp`]) fs.symlinkSync(victim, name);
    await writeLines(file, ['new']);
    expect([fs.readFileSync(victim, 'utf8'), fs.readFileSync(file, 'utf8')]).toEqual(['precious', 'new\n']);
    expect([fs.lstatSync(file).isFile(), fs.statSync(file).mode & 0o777]).toEqual([true, 0o600]);
  });

  test('that another program has replaced meanwhile is reported, and nothing is written to it', async () => {
    const file = fileOf('all.ndjson');
    const lines = function* (): Generator<string> {
      yield 'mine';
      const [temporary = ''] = stores.names().filter((name) => /^all\.ndjson\..*\.tmp$/.test(name));
      fs.renameSync(fileOf(temporary), fileOf('aside'));
      fs.writeFileSync(fileOf(temporary), 'theirs');
    };
    await expect(writeLines(file, lines())).rejects.toThrow('another user has replaced it');
    expect(fs.readFileSync(file, 'utf8')).toBe('theirs');
  });
});
