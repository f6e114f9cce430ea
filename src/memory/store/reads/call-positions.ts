import { type MemoryKind, toolFamily } from '#core/event';
import { isCompaction } from '#reading/talk';
import { flag, list, number, rowReader, text, textOrNull } from '../row.ts';
import { isPinned } from '../tables/origin.ts';
import { Table } from '../tables/table.ts';

const knownCallsMax = 10_000;

/** Time, session and tool of the event of a summary, or of a digest. */
export interface CallPosition {
  /** `summaries.id` or `digests.id` */
  readonly id: number;
  readonly ts: string;
  readonly tool: string;
  readonly sessionId: string;
  readonly pinned: boolean;
  readonly kind: MemoryKind;
  /** `ts` in milliseconds since 1970; NaN for one that cannot be read. */
  readonly ms: number;
  /** The same for summaries that begin alike; null for one that stays by itself: pinned, or a digest. */
  readonly alike: string | null;
  /** Whether its summary is a sentence or two, and so is a message. */
  readonly isBrief?: boolean;
  /** Whether it retells a conversation that was compacted. */
  readonly isRetold?: true | undefined;
  /** The file that an edit names first, as recorded. */
  readonly file?: string | undefined;
}

const beginningChars = 160;
/** A run of a check begins with its command and goes on with its result. Any other call with the same arguments says the same. */
const commandChars = 24;

const readDigest = rowReader({ id: number, ts: text, sessionId: text, pinned: flag });

/**
 * The positions of hundreds of candidates. Reading their events takes most of the time (0.75 of 1.1 ms for 400); tool and
 * session of an event never change and are kept by its id. The rest is kept until the next commit.
 */
export class CallPositions extends Table {
  readonly #calls = new Map<string, Call>();
  readonly #positions = new Map<number, CallPosition>();
  #version = -1;

  /** The existing ones of `ids`, in any order. `version` changes with every commit. */
  of(ids: readonly number[], version: number): CallPosition[] {
    if (version !== this.#version || this.#positions.size > knownCallsMax) this.#positions.clear();
    this.#version = version;
    const unknown = ids.filter((id) => !this.#positions.has(id));
    if (unknown.length > 0) {
      this.#read(unknown);
      this.#readDigests(unknown.filter((id) => !this.#positions.has(id)));
    }
    return ids.flatMap((id) => this.#positions.get(id) ?? []);
  }

  #read(ids: readonly number[]): void {
    const sql = `SELECT json_group_array(s.id) AS ids, json_group_array(s.event_id) AS events,
        json_group_array(s.ts) AS times, json_group_array(${isPinned('s')}) AS pins,
        json_group_array(substr(s.text, 1, ${beginningChars})) AS beginnings,
        json_group_array(EXISTS (SELECT 1 FROM summaries_fts_docsize d WHERE d.id = s.id)) AS indexed
      FROM json_each(?) j JOIN summaries s ON s.id = j.value`;
    const row = this.connection.get(sql, JSON.stringify(ids)) ?? {};
    const events = list<string>(row, 'events');
    const times = list<string>(row, 'times');
    const pins = list<number>(row, 'pins');
    const indexed = list<number>(row, 'indexed');
    const beginnings = list<string>(row, 'beginnings');
    this.#follow(events);
    for (const [at, id] of list<number>(row, 'ids').entries()) {
      const call = this.#calls.get(events[at] ?? '');
      if (call === undefined) continue;
      // A message that only answers is no hit, however near its vector is.
      if (call.kind === 'message' && indexed[at] === 0) continue;
      const ts = times[at] ?? '';
      const pinned = pins[at] !== 0;
      const chars = toolFamily(call.tool) === 'command' ? commandChars : beginningChars;
      const beginning = beginnings[at] ?? '';
      const isBrief = beginning.length < beginningChars;
      const alike = pinned ? null : `${call.tool}\n${beginning.slice(0, chars)}`;
      const { tool, sessionId, kind, file, isRetold } = call;
      const ms = Date.parse(ts);
      // Not spread: a search makes hundreds.
      this.#positions.set(id, { id, ts, ms, tool, sessionId, kind, file, pinned, alike, isBrief, isRetold });
    }
  }

  #readDigests(ids: readonly number[]): void {
    const sql = `SELECT id, ts, session_id, ${isPinned('digests')} AS pinned FROM digests WHERE id IN (SELECT value FROM json_each(?))`;
    for (const row of ids.length === 0 ? [] : this.connection.all(sql, JSON.stringify(ids)))
      this.#positions.set(number(row, 'id'), {
        ...readDigest(row),
        ...{ ms: Date.parse(text(row, 'ts')), tool: 'Session', kind: 'session', alike: null },
      });
  }

  #follow(events: readonly string[]): void {
    if (this.#calls.size + events.length > knownCallsMax) this.#calls.clear();
    const unknown = events.filter((id) => !this.#calls.has(id));
    if (unknown.length === 0) return;
    const sql = `SELECT json_group_array(e.id) AS ids, json_group_array(e.tool) AS tools,
        json_group_array(e.session_id) AS sessions, json_group_array(e.kind) AS kinds, json_group_array(e.is_error) AS errors,
        json_group_array(CASE e.kind WHEN 'message' THEN substr(e.payload_json, 1, ${beginningChars}) ELSE '' END) AS beginnings
      FROM json_each(?) j JOIN events e ON e.id = j.value`;
    const row = this.connection.get(sql, JSON.stringify(unknown)) ?? {};
    const tools = list<string>(row, 'tools');
    const sessions = list<string>(row, 'sessions');
    const kinds = list<MemoryKind>(row, 'kinds');
    const errors = list<number>(row, 'errors');
    const beginnings = list<string>(row, 'beginnings');
    const ids = list<string>(row, 'ids');
    const files = this.#filesOf(ids.filter((_, at) => errors[at] === 0 && isEdit(tools[at] ?? '')));
    for (const [at, id] of ids.entries())
      this.#calls.set(id, {
        tool: tools[at] ?? '',
        sessionId: sessions[at] ?? '',
        kind: kinds[at] ?? 'call',
        ...(files.has(id) && { file: files.get(id) }),
        ...(isRetold(beginnings[at] ?? '') && { isRetold: true }),
      });
  }

  /** The first file of edits, by their fields or in their patch. */
  #filesOf(ids: readonly string[]): ReadonlyMap<string, string> {
    const sql = `SELECT e.id, coalesce(${pathFields.map((field) => at(field)).join(', ')}, '') AS path,
        substr(coalesce(${at('patch')}, ${at('patchText')}, ${at('input')}, json_extract(e.payload_json, '$.input')), 1, ${patchChars}) AS patch
      FROM json_each(?) j JOIN events e ON e.id = j.value WHERE json_valid(e.payload_json)`;
    const rows = ids.length === 0 ? [] : this.connection.all(sql, JSON.stringify(ids));
    return new Map(
      rows.map((row) => [
        text(row, 'id'),
        text(row, 'path') || (patched.exec(textOrNull(row, 'patch') ?? '')?.[1] ?? ''),
      ]),
    );
  }
}

/** Not parsed: a payload may be long, and what it says stands at its beginning. */
function isRetold(payload: string): boolean {
  const [, said = ''] = /"output":"((?:[^"\\]|\\.)*)/.exec(payload) ?? [];
  return isCompaction(said.replaceAll('\\n', '\n'));
}

function isEdit(tool: string): boolean {
  return toolFamily(tool) === 'edit';
}

const pathFields = ['file_path', 'filePath', 'path', 'notebook_path', 'target_file', 'filename', 'file'];
const at = (field: string): string => `json_extract(e.payload_json, '$.input.${field}')`;
/** Of `apply_patch`. */
const patched = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/m;
const patchChars = 400;

type Call = Pick<CallPosition, 'tool' | 'sessionId' | 'kind' | 'file' | 'isRetold'>;
