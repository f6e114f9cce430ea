import { isObject, parseObject } from '../../../core/event/index.ts';
import type { SettingTable } from './settings.ts';

const transcriptPositionsMax = 256;
const name = 'transcripts.read';

/** Up to where a transcript was read. */
export type TranscriptPosition = {
  readonly ino: number;
  /** The file's size then. */
  readonly size: number;
  /** Where its last turn begins, in bytes. */
  readonly offset: number;
};

export function transcriptPosition(settings: SettingTable, file: string): TranscriptPosition | null {
  return allIn(settings).get(file) ?? null;
}

/** Keeps those of the last `transcriptPositionsMax` files. Null removes it. */
export function setTranscriptPosition(
  settings: SettingTable,
  file: string,
  position: TranscriptPosition | null,
): void {
  const all = allIn(settings);
  all.delete(file);
  if (position !== null) all.set(file, position);
  settings.set(name, JSON.stringify(Object.fromEntries([...all].slice(-transcriptPositionsMax))));
}

function allIn(settings: SettingTable): Map<string, TranscriptPosition> {
  const stored = parseObject(settings.get(name) ?? '{}') ?? {};
  return new Map(
    Object.entries(stored).flatMap(([file, value]) => {
      if (!isObject(value)) return [];
      const { ino, size, offset } = value;
      const isWhole = typeof ino === 'number' && typeof size === 'number' && typeof offset === 'number';
      return isWhole ? [[file, { ino, size, offset }] as const] : [];
    }),
  );
}
