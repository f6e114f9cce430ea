import { isObject, type Json, type Observation } from '../../core/event/index.ts';
import { redactPassesMax } from '../../core/limits.ts';
import { changeTexts, redactAcross, redactPieces } from './pieces.ts';
import { Repeats } from './repeats.ts';
import { shortenText } from './text.ts';
import { Counts, TimeIsOver, Walk } from './walk.ts';

export interface Redacted<T> {
  readonly value: T;
  /** How many places were replaced. */
  readonly redactions: number;
  /** The same by KIND, the word in `<redacted:KIND>`. */
  readonly kinds: Readonly<Record<string, number>>;
}

/**
 * `value` without secrets: every string by itself and with those that it belongs to, every value by the name it stands
 * under, and every key of an object. The result has the shape of the input; a number under a name like `password`
 * becomes a string.
 */
export function redact(value: Json): Redacted<Json> {
  const counts = new Counts();
  return {
    value: redactWhole(value, counts, new Repeats(), () => false),
    redactions: counts.redactions,
    kinds: counts.kinds,
  };
}

/**
 * `observation` without secrets, in what the tool got and gave and in its other texts. `isOver` says when the time is over: what
 * the tool gave is left out then, and what it got too unless that was redacted to its end before; a note in its place says so.
 */
export function redactObservation(observation: Observation, isOver?: () => boolean): Redacted<Observation> {
  const counts = new Counts();
  const { input, output } = redactCall(observation, counts, isOver);
  const walk = new Walk(new Repeats(), () => false, new Map());
  const value: Observation = {
    ...observation,
    ...{ tool: walk.text(observation.tool), input, output, sessionId: walk.text(observation.sessionId) },
    toolUseId: observation.toolUseId === null ? null : walk.text(observation.toolUseId),
    cwd: observation.cwd === null ? null : walk.text(observation.cwd),
  };
  counts.addAll(walk.counts);
  return { value, redactions: counts.redactions, kinds: counts.kinds };
}

/** Both together: a tool often gives back what it got. Where time may end, what it got is first redacted by itself. */
function redactCall(
  { input, output }: Observation,
  counts: Counts,
  isOver: (() => boolean) | undefined,
): { readonly input: Json; readonly output: Json } {
  const repeats = new Repeats();
  let known: Json = shorten(input, counts, repeats);
  if (isOver !== undefined) {
    const first = redactInTime(known, counts, repeats, isOver);
    if (first === undefined) return { input: notRead, output: notRead };
    known = first;
  }
  const shortened = shorten(output, counts, repeats);
  const call = redactInTime({ input: known, output: shortened }, counts, repeats, isOver ?? (() => false));
  if (!isObject(call)) return { input: known, output: notRead };
  const { input: got = null, output: gave = null } = call;
  return { input: got, output: gave };
}

/** What is stored of a long text is its ends: they alone are read to the last. */
function shorten(value: Json, counts: Counts, repeats: Repeats): Json {
  return changeTexts(value, (text) =>
    shortenText(text, (secret, kind) => {
      counts.add(kind);
      repeats.add(secret, kind);
    }),
  );
}

/** Undefined when the time is over before all is read: of what is read in part, nothing is sure to be without secrets. */
function redactInTime(
  value: Json,
  counts: Counts,
  repeats: Repeats,
  isOver: () => boolean,
): Json | undefined {
  const own = new Counts();
  try {
    const redacted = redactWhole(value, own, repeats, isOver);
    counts.addAll(own);
    return redacted;
  } catch (error) {
    if (error instanceof TimeIsOver) return undefined;
    throw error;
  }
}

/** Reads a value until nothing is found any more, so that redacting the result changes nothing. */
function redactWhole(value: Json, counts: Counts, repeats: Repeats, isOver: () => boolean): Json {
  const clean = new Map<string, boolean>();
  let current = value;
  for (let pass = 0; pass < redactPassesMax; pass++) {
    const next = redactOnce(current, counts, () => new Walk(repeats, isOver, clean));
    const rest = repeats.isEmpty
      ? next.value
      : changeTexts(next.value, (text) => repeats.without(text, (_, kind) => counts.add(kind)));
    if (rest === next.value && next.isByItself) return rest;
    current = rest;
  }
  return current;
}

/**
 * Strings that belong together, then each by itself. Where something has no beginning or no end, all strings in their
 * order are tried before that, and only then what goes on to the end of its pieces.
 */
function redactOnce(
  value: Json,
  counts: Counts,
  begin: () => Walk,
): { readonly value: Json; readonly isByItself: boolean } {
  const walk = begin();
  const together = redactPieces(value, walk, 'closed');
  // Known to be needed only when its parts have been read.
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
  // What was replaced may be the other end of what is loose: read once more.
  return { value: alone, isByItself: together === value && trial.counts.redactions === 0 };
}

/** In the place of what was not read in time. */
const notRead = '[... left out by memd: there was no time to redact it ...]';
