import { type Json, type JsonObject, own, stringAt } from '#core/event';
import { pendingCallBytesMax, pendingCallsMax } from '#core/limits';
import type { ReportedCall, Where } from './reported.ts';

export interface BegunCall {
  readonly tool: string;
  readonly input: Json | undefined;
}

type Result = Pick<ReportedCall, 'output' | 'isError'>;
type FinishedCall = BegunCall & Result & Pick<ReportedCall, 'kind' | 'toolUseId'>;

/** Calls without a result yet, bounded in number and size: the oldest is dropped and counts as unanswered. */
export class PendingCalls<Begun extends BegunCall = BegunCall> {
  readonly #calls = new Map<
    string,
    { readonly begun: Begun; readonly bytes: number; readonly where: Where }
  >();
  /** Of calls that had a result: a record may be there twice. */
  readonly #done = new Set<string>();
  /** Results of calls that were never begun. */
  withoutCall = 0;
  #bytes = 0;
  #givenUp = 0;

  /** A block that begins a call, with its `id`, its `name` and the arguments under `key`. */
  begin(this: PendingCalls, block: JsonObject, key: string, bytes: number, where: Where): void {
    const [id, tool] = [stringAt(block, 'id'), stringAt(block, 'name')];
    if (id && tool) this.add(id, { tool, input: own(block, key) ?? {} }, bytes, where);
  }

  add(id: string, begun: Begun, bytes: number, where: Where): void {
    this.drop(id);
    this.#calls.set(id, { begun, bytes, where });
    this.#bytes += bytes;
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= pendingCallsMax && this.#bytes <= pendingCallBytesMax) break;
      this.take(oldest);
      this.#givenUp += 1;
    }
  }

  get(id: string): Begun | undefined {
    return this.#calls.get(id)?.begun;
  }

  /** The call of a result; undefined when no such call was begun. */
  take(id: string): Begun | undefined {
    const begun = this.drop(id);
    if (begun === undefined && !this.#done.has(id)) this.withoutCall += 1;
    this.#done.add(id);
    const [oldest = ''] = this.#done;
    if (this.#done.size > pendingCallsMax) this.#done.delete(oldest);
    return begun;
  }

  /** Forgets the call. */
  drop(id: string): Begun | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    this.#bytes -= call?.bytes ?? 0;
    return call?.begun;
  }

  /** The call with its result; none when no such call was begun. */
  finish(toolUseId: string, resultOf: (begun: Begun) => Result): readonly FinishedCall[] {
    const begun = this.take(toolUseId);
    if (begun === undefined) return [];
    return [{ kind: 'call', tool: begun.tool, input: begun.input, toolUseId, ...resultOf(begun) }];
  }

  unanswered(): number {
    return this.#calls.size + this.#givenUp;
  }

  /** Those without a result, where nothing follows in the transcript. */
  unfinished(): readonly ReportedCall[] {
    return [...this.#calls].map(([toolUseId, { begun, where }]) => unfinished(toolUseId, begun, where));
  }
}

/** A call of which the client has recorded only the beginning. */
export function unfinished(toolUseId: string, { tool, input }: BegunCall, where: Where): ReportedCall {
  return { kind: 'call', tool, input, output: '', ...where, toolUseId, isError: false, unfinished: true };
}
