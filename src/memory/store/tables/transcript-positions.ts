import { isObject, parseObject } from '../../../core/event/index.ts';
import type { SettingTable } from './settings.ts';

export const transcriptPositionsMax = 256;
const name = 'transcripts.read';

/** Up to where a transcript was read. */
export type TranscriptPosition = {
  readonly ino: number;
  /** The file's size then. */
  readonly size: number;
  /** Where its last turn begins, in bytes. */
  readonly offset: number;
};

/** Up to where transcripts were read: those of the last `transcriptPositionsMax` files. */
export class TranscriptPositions {
  readonly #settings: SettingTable;

  constructor(settings: SettingTable) {
    this.#settings = settings;
  }

  get(file: string): TranscriptPosition | null {
    return this.#all().get(file) ?? null;
  }

  /** Null removes it. */
  set(file: string, position: TranscriptPosition | null): void {
    const all = this.#all();
    all.delete(file);
    if (position !== null) all.set(file, position);
    const newest = [...all].slice(-transcriptPositionsMax);
    this.#settings.set(name, JSON.stringify(Object.fromEntries(newest)));
  }

  #all(): Map<string, TranscriptPosition> {
    const stored = parseObject(this.#settings.get(name) ?? '{}') ?? {};
    return new Map(
      Object.entries(stored).flatMap(([file, value]) => {
        if (!isObject(value)) return [];
        const { ino, size, offset } = value;
        const isWhole = typeof ino === 'number' && typeof size === 'number' && typeof offset === 'number';
        return isWhole ? [[file, { ino, size, offset }] as const] : [];
      }),
    );
  }
}
