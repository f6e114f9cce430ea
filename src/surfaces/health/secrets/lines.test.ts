import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { encodeRecord, replayLog } from '#capture/log';
import type { ToolEvent } from '#core/event';
import { redactObservation } from '#redact/engine';
import { Tally } from './clean.ts';
import { scanLines, scrubLines } from './lines.ts';

const password = ['tangerine', 'submarine', '47'].join('-');
let folder: string;
let file: string;

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-lines-'));
  file = path.join(folder, 'wal.ndjson');
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function eventWith(output: ToolEvent['output'], more: Partial<ToolEvent> = {}): ToolEvent {
  const call = { tool: 'Bash', input: { command: 'env' }, output, isError: false };
  const where = { sessionId: 's', toolUseId: null, client: 'generic' as const, cwd: '/p' };
  return { id: 'ev_1', ...call, ...where, ts: '2026-01-01T00:00:00.000Z', ...more };
}

async function replayed(): Promise<{ events: ToolEvent[]; damaged: number }> {
  const events: ToolEvent[] = [];
  const { damaged } = await replayLog(
    file,
    async (batch) => void events.push(...batch),
    () => {},
  );
  return { events, damaged };
}

function linesFound(): number {
  const tally = new Tally();
  scanLines(file, 'log', tally);
  return tally.places.get('log')?.rows ?? 0;
}

describe('lines of a log', () => {
  test('a record gets a right checksum and keeps its id; clean lines keep every byte', async () => {
    const clean = encodeRecord(eventWith('fine', { id: 'ev_2' }));
    fs.writeFileSync(file, encodeRecord(eventWith(`DB_PASSWORD=${password}`)) + clean, { mode: 0o600 });
    expect(linesFound()).toBe(1);
    scrubLines([file], file);
    expect(linesFound()).toBe(0);
    expect(fs.readFileSync(file, 'utf8').endsWith(clean)).toBe(true);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const { events, damaged } = await replayed();
    expect(events).toEqual([eventWith('DB_PASSWORD=<redacted:env>'), eventWith('fine', { id: 'ev_2' })]);
    expect(damaged).toBe(0);
  });

  test('a damaged line stays damaged and kept, byte for byte but for its secret', async () => {
    const torn = encodeRecord(eventWith(`DB_PASSWORD=${password}\n`)).slice(0, -9);
    const bytes = Buffer.from([0xff, 0xfe, 0x20, 0xe9]);
    fs.writeFileSync(
      file,
      Buffer.concat([Buffer.from(`${torn}\n`), bytes, Buffer.from(` DB_PASSWORD=${password}`)]),
    );
    scrubLines([file], file);
    const left = fs.readFileSync(file);
    expect(left.includes(password)).toBe(false);
    expect(left.includes(bytes)).toBe(true);
    expect(left.toString('latin1').match(/<redacted:env>/g)).toHaveLength(2);
    expect(await replayed()).toMatchObject({ events: [], damaged: 2 });
  });

  test('several files become one, in order, and only that is left', () => {
    const [taking, taken] = [path.join(folder, 'a'), path.join(folder, 'b')];
    fs.writeFileSync(taking, 'first\n');
    fs.writeFileSync(taken, 'second');
    scrubLines([taking, taken], taking);
    expect(fs.readFileSync(taking, 'utf8')).toBe('first\nsecond\n');
    expect(fs.readdirSync(folder)).toEqual(['a']);
  });

  test('what capture has redacted is never found, whatever it is', () => {
    const word = fc.constantFrom(
      'DB_PASSWORD=',
      password,
      ' ',
      '\n',
      '{"token": "',
      '"}',
      'ok',
      '\u{1f600}',
      '\ud800',
    );
    const name = fc.constantFrom('password', 'note', 'token', 'input');
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));
    const output = fc.oneof(
      text,
      fc.dictionary(name, text),
      fc.json().map((json) => JSON.parse(json)),
    );
    fc.assert(
      fc.property(output, (value) => {
        const event = eventWith(value);
        fs.writeFileSync(file, encodeRecord({ ...event, ...redactObservation(event).value }));
        expect(linesFound()).toBe(0);
      }),
    );
  });
});
