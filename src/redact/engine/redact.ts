import { isObject, type Json, type Observation, withIds } from '#core/event';
import { redactPassesMax } from '#core/limits';
import { changeTexts, redactAcross, redactPieces } from './pieces.ts';
import { Repeats } from './repeats.ts';
import { type Counted, Counts, shortenText } from './text.ts';
import { Walk } from './walk.ts';

export interface Redacted<T> extends Counted {
  readonly value: T;
}

/**
 * `value` without secrets in texts and object keys. The shape stays; a number under a name like `password` becomes
 * a string.
 */
export function redact(value: Json): Redacted<Json> {
  const counts = new Counts();
  const shown = redactWhole(value, counts, new Repeats());
  return { value: shown, redactions: counts.redactions, kinds: counts.kinds };
}

/** `observation` without secrets. */
export function redactObservation(observation: Observation): Redacted<Observation> {
  const counts = new Counts();
  const { input, output } = redactCall(observation, counts);
  const walk = new Walk(new Repeats(), new Map());
  const value: Observation = {
    ...observation,
    ...{ tool: walk.text(observation.tool), input, output, sessionId: walk.text(observation.sessionId) },
    toolUseId: observation.toolUseId === null ? null : walk.text(observation.toolUseId),
    cwd: observation.cwd === null ? null : walk.text(observation.cwd),
    ...(observation.message === undefined
      ? {}
      : { message: withIds(observation.message, (id) => walk.text(id)) }),
  };
  counts.addAll(walk.counts);
  return { value, redactions: counts.redactions, kinds: counts.kinds };
}

/** Input and output are read together, since a tool often returns what it received. */
function redactCall(seen: Observation, counts: Counts): Pick<Observation, 'input' | 'output'> {
  const { input, output } = seen;
  const repeats = new Repeats();
  const walk = new Walk(repeats, new Map());
  // Only the ends of a long text are stored, so only they are read completely.
  const ends = changeTexts({ input, output }, (text) => shortenText(text, walk.report));
  counts.addAll(walk.counts);
  const call = redactWhole(ends, counts, repeats, seen.message !== undefined);
  const { input: got = null, output: gave = null } = isObject(call) ? call : {};
  return { input: got, output: gave };
}

/** Repeats until nothing more is found, so that redacting the result changes nothing. */
function redactWhole(value: Json, counts: Counts, repeats: Repeats, isSaid = false): Json {
  const clean = new Map<string, boolean>();
  let current = value;
  for (let pass = 0; pass < redactPassesMax; pass++) {
    const next = redactOnce(current, counts, () => new Walk(repeats, clean, isSaid));
    const rest = repeats.isEmpty
      ? next.value
      : changeTexts(next.value, (text) => repeats.without(text, (_, kind) => counts.add(kind)));
    if (rest === next.value && next.isByItself) return rest;
    current = rest;
  }
  return current;
}

/**
 * One pass: strings that form one text, then each string. If a block has only one end, all strings are read in
 * order before it is redacted to the end of its text.
 */
function redactOnce(
  value: Json,
  counts: Counts,
  begin: () => Walk,
): { readonly value: Json; readonly isByItself: boolean } {
  const walk = begin();
  const together = redactPieces(value, walk, 'closed');
  // Whether this result counts is known only after the texts have been read.
  const trial = begin();
  const alone = trial.value(together);
  if (!walk.notes.hasLooseEnd && !trial.notes.hasLooseEnd) {
    counts.addAll(walk.counts);
    counts.addAll(trial.counts);
    return { value: alone, isByItself: together === value };
  }
  const across = redactAcross(together, walk);
  const whole = across === together ? redactPieces(together, walk, 'open') : across;
  counts.addAll(walk.counts);
  if (whole !== together) return { value: whole, isByItself: false };
  counts.addAll(trial.counts);
  // A replaced part may have been the other end of an open block, so read again.
  return { value: alone, isByItself: together === value && trial.counts.redactions === 0 };
}
