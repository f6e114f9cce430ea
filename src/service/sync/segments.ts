import { faultPoint } from '#core/platform';
import { eventsOf, type Replica, type SyncStep, syncRowOf } from '#memory/replicate';
import type { Clone, Entry } from './clone.ts';
import type { Ask } from './pull.ts';
import type { Seal } from './seal.ts';
import { decoded, encoded, segmentLinesBytes } from './segment.ts';

export interface Writer {
  readonly clone: Clone;
  readonly seal: Seal;
  readonly ask: Ask;
  readonly self: Extract<SyncStep, { step: 'next' }>['self'];
}

/**
 * Writes what waits into new segments of this device. Returns all its segments. A kill repeats rows, which changes nothing. What is captured
 * meanwhile may wait for the next sync, or a busy session would never let this one end.
 */
export async function writeWaiting(writer: Writer, own: readonly Entry[]): Promise<Entry[]> {
  const { clone, ask, self } = writer;
  let entries = [...own];
  for (let isAll = false; !isAll; ) {
    const lines: string[] = [];
    let upTo = 0;
    for (let bytes = 0; bytes < segmentLinesBytes; ) {
      const { next } = (await ask({ step: 'next', self, after: upTo })) as {
        next: ReturnType<Replica['next']>;
      };
      isAll = next === null;
      if (next === null) break;
      lines.push(...next.lines);
      bytes += next.lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
      upTo = next.upTo;
    }
    if (upTo === 0) break;
    if (lines.length > 0) {
      entries = [...entries, await newSegment(writer, entries, lines)];
      await clone.setOwn(entries);
      faultPoint('sync.written');
    }
    await ask({ step: 'sent', upTo });
  }
  return entries;
}

/**
 * Writes the segments of this device again that hold what was forgotten or pruned. What may quote it goes too, and is sent once more as it
 * is now. Returns null when no segment holds any of it.
 */
export async function withoutRemoved(writer: Writer, own: readonly Entry[]): Promise<Entry[] | null> {
  const { ask, clone } = writer;
  const events = new Map<string, string>();
  const mentioned = new Set<string>();
  for await (const { rows } of rowsIn(writer, own)) {
    for (const row of rows) {
      if (row?.type === 'event') events.set(row.id, row.sessionId);
      for (const id of row === null ? [] : eventsOf(row)) mentioned.add(id);
    }
  }
  const removed = new Set<string>();
  const ids = [...mentioned];
  for (let from = 0; from < ids.length; from += 5_000) {
    const some = { step: 'removed', ids: ids.slice(from, from + 5_000) } as const;
    for (const id of ((await ask(some)) as { ids: string[] }).ids) removed.add(id);
  }
  if (removed.size === 0) return null;
  const sessions = new Set([...removed].flatMap((id) => events.get(id) || []));
  await ask({ step: 'resend', sessions: [...sessions] });
  faultPoint('sync.resend');
  const isIn = (id: string): boolean => sessions.has(events.get(id) ?? '');
  const kept: Entry[] = [];
  for await (const { entry, rows, lines, author } of rowsIn(writer, own)) {
    const left = lines.filter((_, at) => {
      const row = rows[at];
      if (row === undefined || row === null || eventsOf(row).some((id) => removed.has(id))) return false;
      if (row.type === 'summary') return !isIn(row.eventId);
      if (row.type === 'edge') return !isIn(row.from) && !isIn(row.to);
      return row.type !== 'digest' || !sessions.has(row.sessionId);
    });
    if (left.length === lines.length) kept.push(entry);
    else if (left.length > 0) {
      const content = await encoded({ device: entry.device, author, lines: left }, writer.seal);
      kept.push({ ...entry, oid: await clone.write(content), bytes: content.length });
    }
  }
  const unread = own.filter(({ device }) => device === '');
  const entries = [...unread, ...kept];
  await clone.setOwn(entries);
  return entries;
}

/** The segments among the entries that can be read, with their rows. */
async function* rowsIn({ clone, seal }: Writer, own: readonly Entry[]) {
  for await (const { entry, content } of clone.read(own.filter(({ device }) => device !== ''))) {
    const segment = await decoded(content, entry.device, entry.path.endsWith('.age'), seal);
    // Of another key: nobody can check what it holds, so it goes.
    if (typeof segment === 'string') continue;
    const rows = segment.lines.map(syncRowOf);
    yield { entry, rows, lines: segment.lines, author: segment.author };
  }
}

async function newSegment(
  { clone, seal, self: { devices, author } }: Writer,
  entries: readonly Entry[],
  lines: readonly string[],
): Promise<Entry> {
  const device = devices.at(-1) ?? '';
  const numbers = entries.filter((entry) => entry.device === device).map((entry) => numberOf(entry.path));
  const name = String(Math.max(0, ...numbers) + 1).padStart(8, '0');
  const content = await encoded({ device, author, lines }, seal);
  const path = `devices/${device}/${name}.${seal.ending}`;
  return { path, device, oid: await clone.write(content), bytes: content.length };
}

function numberOf(path: string): number {
  return Number(/(\d{8})\.\w+$/.exec(path)?.[1] ?? 0);
}
