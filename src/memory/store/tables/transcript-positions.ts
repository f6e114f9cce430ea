import * as v from 'valibot';
import { parseObject } from '#core/event';
import type { SettingTable } from './settings.ts';

const transcriptPositionsMax = 256;
const name = 'transcripts.read';

/** Up to where a transcript was read. */
export type TranscriptPosition = v.InferOutput<typeof shape>;
const shape = v.object({
  ino: v.number(),
  /** The file's size then. */
  size: v.number(),
  /** Where its last turn begins, in bytes. */
  offset: v.number(),
});

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
  const stored = Object.entries(parseObject(settings.get(name) ?? '{}') ?? {});
  return new Map(stored.flatMap(([file, value]) => (v.is(shape, value) ? [[file, value] as const] : [])));
}
