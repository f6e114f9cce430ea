import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ToolEvent } from '#core/event';
import { commitBatchMax } from '#core/limits';
import { sampleEvent } from '../../../test/support/log/event.ts';
import { runs } from '../../../test/support/runs.ts';
import { encodeRecord } from './record.ts';
import { replayLog } from './replay.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-replay-'));
  file = path.join(folder, 'wal.ndjson');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

const aside = (): string => path.join(folder, 'wal-damaged.ndjson');

async function replay(content: string | Buffer) {
  fs.writeFileSync(file, content);
  const events: ToolEvent[] = [];
  const batches: number[] = [];
  const messages: string[] = [];
  const commit = async (batch: readonly ToolEvent[]): Promise<void> => {
    batches.push(batch.length);
    events.push(...batch);
  };
  const result = await replayLog(file, commit, (message) => messages.push(message));
  return { events, batches, messages, result };
}

const line = (id: string): string => encodeRecord(sampleEvent(id));
const ids = (events: readonly ToolEvent[]): string[] => events.map((event) => event.id);

describe('replayLog', () => {
  test('has nothing to do without a log, and with an empty one', async () => {
    expect(
      await replayLog(
        file,
        async () => {},
        () => {},
      ),
    ).toEqual({ events: 0, damaged: 0 });
    const { result, batches } = await replay('\n\n');
    expect(result).toEqual({ events: 0, damaged: 0 });
    expect(batches).toEqual([]);
  });

  test('gives back every event as it was, in order and in batches', async () => {
    const many = Array.from({ length: commitBatchMax * 2 + 3 }, (_, at) => `e${at}`);
    const { events, batches, messages, result } = await replay(many.map(line).join(''));
    expect(events).toEqual(many.map((id) => sampleEvent(id)));
    expect(batches).toEqual([commitBatchMax, commitBatchMax, 3]);
    expect(messages).toEqual([]);
    expect(result).toEqual({ events: many.length, damaged: 0 });
    expect(fs.existsSync(aside())).toBe(false);
  });

  test('takes a whole last line without its newline', async () => {
    const { events, messages } = await replay(line('a') + line('b').slice(0, -1));
    expect(ids(events)).toEqual(['a', 'b']);
    expect(messages).toEqual([]);
  });

  test('skips a torn line in the words of the specification, with its number, and sets it aside', async () => {
    const torn = line('b').slice(0, 40);
    const { events, messages, result } = await replay(`${line('a')}${torn}\n\n${line('c')}`);
    expect(ids(events)).toEqual(['a', 'c']);
    expect(result).toEqual({ events: 2, damaged: 1 });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(/^WAL replay failed: SyntaxError: .+ \(line 2 of /);
    expect(fs.readFileSync(aside(), 'utf8')).toBe(`${torn}\n`);
    expect(fs.statSync(aside()).mode & 0o777).toBe(0o600);
  });

  test('adds to what was set aside before', async () => {
    await replay('one\n');
    await replay('two\n');
    expect(fs.readFileSync(aside(), 'utf8')).toBe('one\ntwo\n');
  });

  test.each([
    ['not UTF-8', Buffer.from([0x7b, 0xff, 0xfe]), /SyntaxError: the line is not UTF-8/],
    ['zeros after a power loss', Buffer.alloc(4_096), /SyntaxError/],
    ['JSON without a sum', '{"event":{}}', /ChecksumError/],
    [
      'another sum',
      line('x')
        .replace(/"sum":"./, '"sum":"z')
        .trim(),
      /ChecksumError/,
    ],
    ['a number', '17', /ChecksumError/],
  ])('skips what is no record: %s', async (_name, bad, words) => {
    const content = Buffer.concat([Buffer.from(line('a')), Buffer.from(bad), Buffer.from(`\n${line('c')}`)]);
    const { events, messages } = await replay(content);
    expect(ids(events)).toEqual(['a', 'c']);
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(words);
    expect(messages[0]).toContain('(line 2 of ');
  });

  test('reads lines that are longer than its chunk', async () => {
    const huge = sampleEvent('huge', { output: 'é'.repeat(3_000_000) });
    const { events } = await replay(line('a') + encodeRecord(huge) + line('c'));
    expect(ids(events)).toEqual(['a', 'huge', 'c']);
    expect(events[1]).toEqual(huge);
  });

  test('leaves the log as it is when the store refuses', async () => {
    fs.writeFileSync(file, line('a'));
    const refuse = async (): Promise<void> => {
      throw new Error('no room');
    };
    await expect(replayLog(file, refuse, () => {})).rejects.toThrow('no room');
    expect(fs.readFileSync(file, 'utf8')).toBe(line('a'));
  });

  test('loses, to one changed byte, at most the records that it hits, and invents none', async () => {
    const many = ['a', 'b', 'c', 'd', 'e'];
    const whole = Buffer.from(many.map(line).join(''));
    const starts = many.map((_, at) => Buffer.byteLength(many.slice(0, at).map(line).join('')));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ mask;
        const { events } = await replay(bytes);
        // A changed newline joins its line to the next one: two are hit.
        const hit = starts.findLastIndex((start) => start <= at);
        const alsoHit = whole[at] === 10 ? hit + 1 : hit;
        const kept = many.filter((_, index) => index !== hit && index !== alsoHit);
        for (const id of kept) expect(ids(events)).toContain(id);
        for (const event of events) expect(many.map((id) => sampleEvent(id))).toContainEqual(event);
      }),
      { numRuns: runs(100) },
    );
  });

  test('gives back every whole line before the place where the file was cut', async () => {
    const many = ['a', 'b', 'c'];
    const whole = Buffer.from(many.map(line).join(''));
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async (length) => {
        const { events } = await replay(whole.subarray(0, length));
        const lines = whole.subarray(0, length).toString('latin1').split('\n').length - 1;
        expect(events.length).toBeGreaterThanOrEqual(lines);
        expect(ids(events)).toEqual(many.slice(0, events.length));
      }),
      { numRuns: runs(40) },
    );
  });
});
