import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { readTranscript } from '#capture/clients';
import { prepare } from '#capture/intake';
import type { JsonObject, ToolEvent } from '#core/event';
import { parsePayload, readCall } from '#reading/call';
import { checked, commandVerdict } from '#reading/checks';
import { newStore, type TestStore } from './store.ts';

/** The store of a test, into which transcripts are imported. */
export let opened: TestStore;
let folder = '';

/** Gives each test of a file its own. Called by the file: this module is loaded once for many. */
export function openedForEach(): void {
  beforeEach(() => {
    opened = newStore();
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-ends-'));
  });
  afterEach(() => {
    opened.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  });
}

export const bad = '2 passed, 1 failed in 2.31s';
export let clock = 0;
export const now = (): string => new Date(Date.UTC(2026, 0, 1, 12, 0, ++clock)).toISOString();

/** What a transcript of these records holds, as it is stored. */
export async function imported(records: readonly JsonObject[]): Promise<void> {
  const file = path.join(folder, 'session.jsonl');
  fs.writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const events: ToolEvent[] = [];
  await readTranscript(file, async (item) => {
    if (item.kind === 'observation') events.push(prepare(item.observation).event);
  });
  opened.store.events.insert(events);
}

/** The call that ran `command`, as every reader gets it. */
export function callOf(command: string) {
  const sql = 'SELECT payload_json, is_error, status FROM events WHERE instr(payload_json, ?) > 0';
  const row = opened.store.connection.get(sql, JSON.stringify(command).slice(1, -1));
  const parsed = parsePayload(String(row?.payload_json));
  if (!('payload' in parsed)) throw new Error(parsed.error);
  return { call: readCall(parsed.payload), isError: row?.is_error, status: row?.status };
}

export function verdict(command = 'pytest -q'): string {
  const { call } = callOf(command);
  expect(commandVerdict(call)).toBe(checked(call));
  return checked(call);
}
