import * as v from 'valibot';
import type { TranscriptNotice } from '#capture/clients';
import type { Intake } from '#capture/intake';
import type { Config } from '#core/config';
import type { JsonObject } from '#core/event';
import { type RequestContext, refusal } from '#core/rpc';
import type { Engine } from '#service/engine';
import type { RunBackfill } from './backfill-op.ts';
import type { Background } from './background.ts';

/** What ops work with. */
export interface OpsContext {
  readonly engine: Engine;
  readonly intake: Intake;
  readonly backfill: RunBackfill;
  readonly info: () => Promise<object>;
  /** The worst problem of the daemon, in one line for the start of a session; null: none. */
  readonly worst: () => Promise<string | null>;
  /** Writes the digest of a session that pauses or ends; settles when it is written. */
  readonly sessionIdle: (session: string) => Promise<void>;
  readonly background: Pick<Background, 'spooled' | 'backfilled' | 'imported'>;
  /** A hook shows that a transcript has more to read; settles when it is read. */
  readonly grown: (notice: TranscriptNotice) => Promise<void>;
  /** A one-time code for the page, given over the socket only. @throws Failure `unavailable` */
  readonly unlock: (asFile: boolean, place: string) => object;
  readonly shutdown: () => void;
  readonly recall: Config['inject.recall'];
}

/** A request as it arrived, and how to send lines before its reply. */
export interface OpRequest extends RequestContext {
  readonly request: JsonObject;
}

export interface Op {
  /** The names of the fields that it takes. */
  readonly fields: readonly string[];
  /** Gives the reply's fields, if it has any. @throws Failure `bad_request` naming the field, and what the op throws */
  readonly run: (name: string, context: OpsContext, request: OpRequest) => unknown;
}

/** An op: the fields it takes (unknown ones are ignored), and what it does with them: an object is the reply's fields. */
export function op<E extends v.ObjectEntries>(
  entries: E,
  run: (
    args: v.InferOutput<v.ObjectSchema<E, undefined>>,
    context: OpsContext,
    request: OpRequest,
  ) => unknown,
): Op {
  const schema = v.object(entries);
  return {
    fields: Object.keys(entries),
    run: (name, context, request) => run(checked(name, schema, request.request), context, request),
  };
}

/** @throws Failure `bad_request` naming the field */
export function checked<S extends v.GenericSchema>(
  name: string,
  schema: S,
  request: JsonObject,
): v.InferOutput<S> {
  // Listing all faults of a list of forty thousand would take a tenth of a second.
  const result = v.safeParse(schema, request, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const field = v.getDotPath(issue);
  throw refusal('bad_request', `${name}${field === null ? '' : `: ${field}`}: ${issue.message}`);
}
