import type { Removed, SyncStep } from '#memory/replicate';
import type { Clone, Entry, Tip } from './clone.ts';
import type { Seal } from './seal.ts';
import { decoded, type Segment } from './segment.ts';

/** Sends a step to the process that holds the memory. */
export type Ask = (step: SyncStep) => Promise<unknown>;

export type Pulled = Awaited<ReturnType<typeof pullFrom>>;

export interface Reader {
  readonly clone: Clone;
  readonly seal: Seal;
  readonly ask: Ask;
  readonly author: string;
  readonly trust: readonly string[];
}

// Characters of lines that are read once for both passes.
const cachedCharsMax = 32 * 1024 * 1024;

/**
 * Imports the segments that this memory does not know. First what all of them removed, then what they hold: nothing that was forgotten
 * anywhere comes in, in whatever order the segments were written. Nothing in them stops the sync.
 */
export async function pullFrom(reader: Reader, tip: Tip | null, own: ReadonlySet<string>) {
  const authors: string[] = [];
  const restoreFiles: string[] = [];
  const pulled = {
    /** `segments` with something new, `rows` in them, memories `removed` elsewhere, rows that are `bad`, the `authors` of what came. */
    ...{ segments: 0, rows: 0, removed: 0, bad: 0, authors },
    /** Have what was pruned by another device, or by someone who cannot prove to be the author. */
    restoreFiles,
    /** Segments that were not read, by reason. */
    refused: { newer: 0, locked: 0, plain: 0, damaged: 0, odd: tip?.odd ?? 0 },
  };
  const foreign = (tip?.entries ?? []).filter(({ device, oid }) => device !== '' && !own.has(oid));
  let unknown = await unknownOf(reader, foreign);
  let isRestored = false;
  if (unknown.length === 0) return pulled;
  const cache = new Map<string, Segment>();
  let cached = 0;
  for await (const [entry, segment] of segmentsOf(reader, unknown, pulled)) {
    const removals = segment.lines.filter((line) => /^\{"type":"(?:removed|author)"/.test(line));
    const origin = originOf(reader, segment);
    if (removals.length > 0) {
      const reply = await reader.ask({ step: 'remove', origin, lines: removals });
      const { removed, restoreFiles, restores } = reply as Removed;
      isRestored ||= restores;
      pulled.removed += removed;
      pulled.restoreFiles.push(...restoreFiles);
    }
    cached += segment.lines.reduce((sum, line) => sum + line.length, 0);
    if (cached < cachedCharsMax) cache.set(entry.oid, segment);
  }
  // An author was accepted again.
  if (isRestored) unknown = await unknownOf(reader, foreign);
  const late: SyncStep[] = [];
  for await (const [entry, segment] of again(reader, unknown, cache)) {
    const origin = originOf(reader, segment);
    const step: SyncStep = { step: 'take', oid: entry.oid, origin, lines: [...segment.lines] };
    const { taken, loose } = (await reader.ask(step)) as { taken: number; loose: number };
    if (loose > 0) late.push(step);
    pulled.segments += 1;
    pulled.rows += taken;
    if (taken > 0 && !pulled.authors.includes(segment.author)) pulled.authors.push(segment.author);
  }
  // What names an event of a segment that came later.
  for (const step of late) await reader.ask(step);
  return pulled;
}

async function unknownOf({ ask }: Reader, entries: readonly Entry[]): Promise<Entry[]> {
  const known = new Set<string>();
  for (let from = 0; from < entries.length; from += 10_000) {
    const oids = entries.slice(from, from + 10_000).map(({ oid }) => oid);
    for (const oid of ((await ask({ step: 'known', oids })) as { oids: string[] }).oids) known.add(oid);
  }
  return entries.filter(({ oid }) => !known.has(oid));
}

async function* segmentsOf(
  { clone, seal }: Reader,
  entries: readonly Entry[],
  pulled: Pulled | null,
): AsyncGenerator<readonly [Entry, Segment]> {
  for await (const { entry, content } of clone.read(entries)) {
    const segment = await decoded(content, entry.device, entry.path.endsWith('.age'), seal);
    if (typeof segment === 'string') {
      if (pulled !== null) pulled.refused[segment] += 1;
      continue;
    }
    if (pulled !== null) pulled.bad += segment.bad;
    yield [entry, segment];
  }
}

async function* again(
  reader: Reader,
  entries: readonly Entry[],
  cache: Map<string, Segment>,
): AsyncGenerator<readonly [Entry, Segment]> {
  const others: Entry[] = [];
  for (const entry of entries) {
    const segment = cache.get(entry.oid);
    cache.delete(entry.oid);
    if (segment === undefined) others.push(entry);
    else yield [entry, segment];
  }
  // Together: a process of git each would take longer than what it reads.
  if (others.length > 0) yield* segmentsOf(reader, others, null);
}

/** What a segment proves about its author: the passphrase, or nothing. */
function originOf({ seal, author: own, trust }: Reader, { device, author }: Segment) {
  const isProved = seal.mode === 'passphrase';
  const isOwn = author === own;
  const isTrusted = trust.includes(author);
  const standing = isProved
    ? isOwn
      ? 'own'
      : isTrusted
        ? 'trusted'
        : 'member'
    : isOwn || isTrusted
      ? 'claimed'
      : 'stranger';
  return { device, author, standing } as const;
}
