import { setImmediate as nextTurn } from 'node:timers/promises';
import type { GivenTable } from '../../memory/store/index.ts';
import { parsePayload, readCall } from '../../reading/call/index.ts';
import { subjectKey, subjectsOf } from '../../reading/subjects/index.ts';

const atOnce = 50;
const knownMax = 4_000;

/** What a memory is about, as far as its use can be seen. */
interface Item {
  /** Null: a message, a digest, or a call that is about neither. */
  readonly kind: 'commands' | 'files' | null;
  /** Keys of the table `subjects`. */
  readonly keys: readonly number[];
}

const nothing: Item = { kind: null, keys: [] };

/** The subjects of memories; a call never changes, so each is read once. */
export class Items {
  readonly #table: GivenTable;
  readonly #known = new Map<number, Item>();

  constructor(table: GivenTable) {
    this.#table = table;
  }

  get(id: number): Item {
    return this.#known.get(id) ?? nothing;
  }

  async know(ids: readonly number[]): Promise<void> {
    if (this.#known.size > knownMax) this.#known.clear();
    const missing = [...new Set(ids)].filter((id) => !this.#known.has(id));
    for (let at = 0; at < missing.length; at += atOnce) {
      for (const { id, payloadJson } of this.#table.calls(missing.slice(at, at + atOnce)))
        this.#known.set(id, itemOf(payloadJson));
      await nextTurn();
    }
  }
}

function itemOf(payloadJson: string): Item {
  const parsed = parsePayload(payloadJson);
  if (!('payload' in parsed)) return nothing;
  const subjects = subjectsOf(readCall(parsed.payload));
  const commands = subjects.filter(({ kind }) => kind === 'command' || kind === 'check');
  const files = subjects.filter(({ kind }) => kind === 'file');
  if (commands.length > 0) return { kind: 'commands', keys: commands.map(subjectKey) };
  return { kind: files.length > 0 ? 'files' : null, keys: files.map(subjectKey) };
}
