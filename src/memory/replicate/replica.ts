import { archiveLines, forgetEvent, lineOf, newRestoreFile, writeLines } from '#memory/archive';
import {
  type ArchiveRow,
  dropEvents,
  emptyWal,
  ForgottenTable,
  isAhead,
  memoriesAt,
  type Removal,
  removalsToDo,
  type Store,
  type SyncAuthor,
  SyncAuthors,
  type SyncOrigin,
  SyncOutgoing,
  type SyncRow,
  type SyncSelf,
  takeSegment,
} from '#memory/store';
import { syncRowOf } from './line.ts';

const waitingTextsMax = 20;
const rowsTogether = 500;

/** What a segment brings, as lines that were checked before. */
export interface SegmentRows {
  readonly oid: string;
  readonly origin: SyncOrigin;
  readonly lines: readonly string[];
}

/** What a removal did here. */
export interface Removed {
  /** Memories. */
  readonly removed: number;
  /** Have what can be taken back. */
  readonly restoreFiles: readonly string[];
  /** Segments that were read have to be read again. */
  readonly restores: boolean;
}

const nothing: Removed = { removed: 0, restoreFiles: [], restores: false };

/** The memory's side of a sync. For the process that holds the workspace's lock. */
export class Replica {
  readonly #store: Store;
  readonly #folder: string;
  /** What waits to be sent. */
  readonly outgoing: SyncOutgoing;

  constructor(store: Store, folder: string) {
    this.#store = store;
    this.#folder = folder;
    this.outgoing = new SyncOutgoing(store);
  }

  /** Starts to write down what changes, and says how much waits. `again`: everything has to be sent once more. */
  begin(self: SyncSelf, again: boolean): { readonly waiting: number; readonly removals: string } {
    this.#store.settings.set('sync.device', self.devices.at(-1) ?? null);
    this.outgoing.begin(self, again);
    return { waiting: this.outgoing.waiting(), removals: new ForgottenTable(this.#store).mark() };
  }

  /** The next lines to send, after this position of the journal; null when nothing waits. */
  next(self: SyncSelf, after: number): { readonly lines: string[]; readonly upTo: number } | null {
    const next = this.outgoing.next(self, after);
    return next === null ? null : { lines: next.rows.map(lineOf), upTo: next.upTo };
  }

  /** What would be sent now: rows by type, their size, and the first summaries. */
  waiting(self: SyncSelf) {
    const rows: Record<string, number> = {};
    const texts: string[] = [];
    let bytes = 0;
    for (let after = 0, next = this.next(self, after); next !== null; next = this.next(self, after)) {
      after = next.upTo;
      for (const line of next.lines) {
        const row = syncRowOf(line);
        if (row === null) continue;
        rows[row.type] = (rows[row.type] ?? 0) + 1;
        bytes += Buffer.byteLength(line) + 1;
        if (row.type === 'summary' && texts.length < waitingTextsMax)
          texts.push(row.text.split('\n')[0] ?? '');
      }
    }
    return { rows, bytes, texts };
  }

  /** Forgets and prunes what another device did; `restoreFiles` have what was only pruned. */
  async remove({ origin, lines }: Omit<SegmentRows, 'oid'>): Promise<Removed> {
    const { connection } = this.#store;
    if (new SyncAuthors({ connection }).isRefused(origin.author)) return nothing;
    const rows = rowsIn(lines);
    const removed = rows.filter((row) => row.type === 'removed');
    const todo = removalsToDo(connection, origin, removed);
    const pruned = await this.#prune(todo.filter(({ how }) => how === 'prune'));
    let erased = 0;
    for (const { id, ts, how } of todo) {
      if (how === 'prune') continue;
      // With the journal on: every device that knows it says so, since the one that forgot it may be gone.
      new ForgottenTable({ connection }).add([id], ts);
      if ((await forgetEvent(this.#store, this.#folder, id)) !== null) erased += 1;
    }
    const parts = [pruned];
    for (const row of rows) if (row.type === 'author') parts.push(await this.#follow(origin, row));
    return {
      removed: parts.reduce((sum, { removed: count }) => sum + count, erased),
      restoreFiles: parts.flatMap(({ restoreFiles }) => restoreFiles),
      restores: parts.some(({ restores }) => restores),
    };
  }

  /** What is here of an author, and who the others are. */
  author(author: string) {
    const authors = new SyncAuthors(this.#store);
    return { ...authors.counts(author), isRefused: authors.isRefused(author), authors: authors.names() };
  }

  /** Removes what an author recorded into a restore file, and imports nothing more of it; or imports it again. */
  async refuse(author: string, isRefused: boolean): Promise<Removed> {
    new SyncAuthors(this.#store).set({ type: 'author', author, isRefused, ms: Date.now() }, true);
    return isRefused ? this.#removeAuthor(author) : { ...nothing, restores: true };
  }

  take({ oid, origin, lines }: SegmentRows) {
    return takeSegment(this.#store.connection, oid, origin, rowsIn(lines));
  }

  /** Another device of this author did it. Only the passphrase proves that. */
  async #follow({ standing, author: own }: SyncOrigin, row: SyncAuthor): Promise<Removed> {
    if (standing !== 'own' || row.author === own || isAhead(row.ms)) return nothing;
    const isNew = new SyncAuthors(this.#store).set(row, false);
    if (isNew && row.isRefused) return this.#removeAuthor(row.author);
    return { ...nothing, restores: isNew };
  }

  /** First refused, then removed: what a kill leaves goes when the command is repeated. */
  async #removeAuthor(author: string): Promise<Removed> {
    const { connection } = this.#store;
    const authors = new SyncAuthors({ connection });
    const events = authors.events(author);
    const restoreFiles = events.length > 0 ? [await this.#writeRestoreFile(inParts(connection, events))] : [];
    authors.remove(author, events);
    emptyWal(connection);
    return { removed: events.length, restoreFiles, restores: false };
  }

  async #prune(removals: readonly Removal[]): Promise<Removed> {
    const rows = memoriesAt(
      this.#store.connection,
      removals.map(({ id }) => id),
    );
    const restoreFiles = rows.length > 0 ? [await this.#writeRestoreFile(rows)] : [];
    dropEvents(this.#store.connection, removals);
    const removed = rows.filter(({ type }) => type === 'event').length;
    return { removed, restoreFiles, restores: false };
  }

  async #writeRestoreFile(rows: Iterable<ArchiveRow>): Promise<string> {
    const file = newRestoreFile(this.#folder, Date.now());
    await writeLines(file, archiveLines(this.#store, rows, 'restore'));
    return file;
  }
}

function* inParts(connection: Store['connection'], events: readonly string[]): Generator<ArchiveRow> {
  for (let from = 0; from < events.length; from += rowsTogether)
    yield* memoriesAt(connection, events.slice(from, from + rowsTogether));
}

function rowsIn(lines: readonly string[]): SyncRow[] {
  return lines.flatMap((line) => syncRowOf(line) ?? []);
}
