import type { Payload } from '#core/event';
import { type Call, familyOf, readCall } from '#reading/call';
import { lastingLines, lineHash } from '#reading/edits';
import { type Subject, subjectsOf } from '#reading/subjects';
import { filesIn, symbolsIn } from './named.ts';

/** A check or a command, and how it ended. */
export type Run = Pick<Subject, 'kind' | 'name'> & { readonly outcome: 'passed' | 'failed' };

export interface EditedFile {
  readonly path: string;
  /** `lineHash` of each. */
  readonly lines: readonly number[];
}

export type Comparable =
  | {
      readonly kind: 'edit';
      readonly cwd: string | null;
      readonly failed: boolean;
      readonly files: readonly EditedFile[];
    }
  /** Null: it is not known how it ended. */
  | { readonly kind: 'run'; readonly run: Run | null }
  | { readonly kind: 'message'; readonly files: readonly string[]; readonly symbols: readonly string[] }
  | { readonly kind: 'other' };

/** Raised when the same payload gives another value: what is stored in another form is read from the payload. */
export const comparableForm = 1;

export function comparableOf(payload: Payload): Comparable {
  if (payload.message === undefined) return ofCall(readCall(payload));
  const said = typeof payload.output === 'string' ? payload.output : '';
  const files = filesIn(said);
  return { kind: 'message', files, symbols: files.length === 0 ? [] : symbolsIn(said) };
}

/** Of a text that was made of one. */
export function readComparable(json: string): Comparable {
  return JSON.parse(json) as Comparable;
}

function ofCall(call: Call): Comparable {
  const family = familyOf(call);
  if (family === 'command') return { kind: 'run', run: runIn(call) };
  if (family !== 'edit') return { kind: 'other' };
  const { failed } = call.result;
  const lasting = failed ? [] : lastingLines(call).filter(({ lines }) => lines.length > 0);
  const files = lasting.map(({ path, lines }) => ({ path, lines: lines.map(lineHash) }));
  return { kind: 'edit', cwd: call.cwd, failed, files };
}

/** The check of a call, else its command; null when its end is not known. */
function runIn(call: Call): Run | null {
  const ended = subjectsOf(call).flatMap(({ kind, name, outcome }) =>
    (outcome === 'passed' || outcome === 'failed') && !name.startsWith('test:')
      ? [{ kind, name, outcome }]
      : [],
  );
  return ended.find(({ kind }) => kind === 'check') ?? ended.find(({ kind }) => kind === 'command') ?? null;
}
