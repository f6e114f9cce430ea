import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ToolEvent } from '#core/event';
import { openStore, type Store } from '#memory/store';
import { type Imported, type ImportStep, importAll, importPart } from '../../../src/memory/archive/import.ts';
import { exportLines } from '../../../src/memory/archive/line.ts';

/** A folder for files, and stores in folders of their own below it. */
export class TestStores {
  readonly #folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-archive-'));
  #opened: Store[] = [];

  open(): Store {
    const store = openStore(path.join(fs.mkdtempSync(path.join(this.#folder, 'store-')), 'db.sqlite'));
    this.#opened.push(store);
    return store;
  }

  file(name: string): string {
    return path.join(this.#folder, name);
  }

  names(): string[] {
    return fs.readdirSync(this.#folder).filter((name) => !name.startsWith('store-'));
  }

  close(): void {
    for (const store of this.#opened) store.close();
    this.#opened = [];
  }

  remove(): void {
    fs.rmSync(this.#folder, { recursive: true, force: true });
    this.close();
  }
}

/** The `at`-th call of one of three sessions. */
export function event(at: number, more: Partial<ToolEvent> = {}): ToolEvent {
  return {
    id: `ev_${at}`,
    tool: 'Bash',
    input: { command: `step ${at}` },
    output: 'ok',
    sessionId: `s${at % 3}`,
    toolUseId: at % 4 === 0 ? null : `call_${at}`,
    ts: new Date(Date.UTC(2026, 0, 1, 12, 0, at)).toISOString(),
    client: 'claude-code',
    isError: false,
    cwd: '/p',
    ...more,
  };
}

/** Stores events, and a summary of the first four fifths. */
export function fill(store: Store, events: readonly ToolEvent[]): void {
  store.events.insert(events);
  const claimed = store.events.claim('tester', 0, Math.ceil(events.length * 0.8), Date.now());
  const summaries = claimed.map(({ seq, id }) => ({
    eventSeq: seq,
    text: `did ${id}`,
    terms: id,
    model: 'm',
  }));
  store.summaries.finish('tester', summaries);
}

/** An export without its first line. */
export const bodyOf = (store: Store): string[] => [...exportLines(store)].slice(1);

export const takeIn = (
  store: Store,
  file: string,
  more: Partial<Omit<ImportStep, 'place' | 'file'>> = {},
): Promise<Imported> =>
  importAll(
    { file, forgotten: false, ...more },
    (step) => importPart(store, step),
    () => {},
  );
