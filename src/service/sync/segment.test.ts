import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readRecord } from './record.ts';
import { plainSeal } from './seal.ts';
import { decoded } from './segment.ts';

const device = 'a'.repeat(32);

const read = (author: string, lines: readonly string[] = []) => {
  const head = JSON.stringify({ format: 'memd-sync', version: 1, device, author });
  return decoded(Buffer.from([head, ...lines, ''].join('\n')), device, false, plainSeal);
};

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['Ada Lovelace', 'Ada Lovelace'],
  ['محمد', 'محمد'],
  ['ada@example.com\u3164', 'ada@example.com?'],
  ['ada\u200b@example.com', 'ada@example.com?'],
  ['ada@example.com\ufe0f', 'ada@example.com?'],
  ['ada\n#9 pinned', 'ada #9 pinned?'],
  ['\u001b[31mada', 'ada?'],
  ['\u3164', 'unknown'],
  ['\u2800 \u0301', 'unknown'],
])('the author %j is shown as %j', async (author, shown) => {
  expect(await read(author)).toMatchObject({ author: shown, bad: 0 });
});

test('a row of thousands of levels is counted as bad, and the others are read', async () => {
  const levels = 5_000;
  const id = 'ev_1';
  const event = { type: 'event', id, ts: '2026-01-01T00:00:00.000Z', payload: 0 };
  const deep = JSON.stringify(event).replace(
    '"payload":0',
    `"payload":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
  );
  const focus = JSON.stringify({ type: 'focus', text: 'the mill', ts: '2026-01-01T00:00:00.000Z' });
  expect(await read('ada', [deep, focus])).toMatchObject({ bad: 1, lines: [focus] });
});

test('the path of a remote as an earlier version kept it is still one', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-record-test-'));
  try {
    fs.mkdirSync(path.join(folder, 'sync'));
    const kept = { remote: 'file:///mnt/usb/memory.git', project: 'p', devices: [device] };
    fs.writeFileSync(path.join(folder, 'sync/sync.json'), JSON.stringify(kept));
    expect(readRecord({ folder })?.remote).toBe('/mnt/usb/memory.git');
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
});
