import { redactJudgedPerRunMax } from '#core/limits';
import {
  endAt,
  entropy,
  type Form,
  isBoundary,
  isWord,
  matchAt,
  type Notes,
  once,
  type Rule,
  ranks,
  type Scanner,
  type Span,
} from '#redact/form';
import { rules } from '#redact/rules';
import {
  assignments,
  continued,
  cookies,
  isTokenInWord,
  jsonWebKeys,
  kubernetesSecrets,
  mayBeginInWord,
  privateKeys,
  privateParts,
  prose,
  runsIn,
  tables,
  typed,
  veiled,
} from '#redact/scanners';
import { Automaton } from './automaton.ts';

const redactTokenJudgedCharsMax = 512;

const scanners: readonly Scanner[] = [
  ...[privateParts, privateKeys, kubernetesSecrets],
  ...[cookies, jsonWebKeys, tables, assignments, prose, typed, continued, veiled],
];

/** What runs at a keyword. */
interface Entry extends Readonly<Record<Rule['at'], Rule[]>> {
  readonly length: number;
  /** Indexes of `scanners`. */
  readonly scanners: number[];
}

/** Built on first use: it takes 10 ms and 10 MiB, which a thread without redaction need not spend. */
const planOf = once(() => {
  const byKeyword = new Map<string, Entry>();
  const entryOf = (keyword: string): Entry => {
    const entry = byKeyword.get(keyword) ?? {
      ...{ length: keyword.length, word: [], part: [], anywhere: [], free: [], scanners: [] },
    };
    byKeyword.set(keyword, entry);
    return entry;
  };
  for (const rule of rules) for (const keyword of rule.keywords) entryOf(keyword)[rule.at].push(rule);
  scanners.forEach((scanner, index) => {
    for (const keyword of scanner.keywords) entryOf(keyword).scanners.push(index);
  });
  return { automaton: new Automaton([...byKeyword.keys()]), entries: [...byKeyword.values()] };
});

/** The secrets in a text, unordered and overlapping. Each rule and scanner runs only at its keywords. */
export function spansOf(text: string, notes: Notes): Span[] {
  const spans: Span[] = [];
  const add = (span: Span) => {
    if (span.end > span.start) spans.push(span);
  };
  const search: Search = { text, endOfRun: runsIn(text), tries: new Map() };
  const { automaton, entries } = planOf();
  const reads = scanners.map(() => undefined as ReturnType<Scanner['begin']> | undefined);
  const readUpTo = scanners.map(() => 0);
  automaton.scan(text, (keyword, end) => {
    const entry = entries[keyword];
    if (entry === undefined) return;
    const start = end - entry.length;
    if (entry.word.length + entry.part.length + entry.anywhere.length > 0) {
      const isWhole = beginsWord(text, start, end);
      const inWord = isWhole ? 0 : end - start;
      if (isWhole) for (const rule of entry.word) apply(rule, search, start, 0, add);
      if (isWhole || '-_/'.includes(text.charAt(start - 1)))
        for (const rule of entry.part) apply(rule, search, start, inWord, add);
      if (isWhole || mayBeginInWord(text, start, end))
        for (const rule of entry.anywhere) apply(rule, search, start, inWord, add);
    }
    for (const rule of entry.free) apply(rule, search, start, 0, add);
    for (const index of entry.scanners) {
      const done = readUpTo[index] ?? 0;
      if (start < done) continue;
      const read = reads[index] ?? scanners[index]?.begin(text, add, notes);
      reads[index] = read;
      readUpTo[index] = Math.max(done, read?.(start, end, done) ?? 0);
    }
  });
  return spans;
}

interface Search {
  readonly text: string;
  readonly endOfRun: ReturnType<typeof runsIn>;
  readonly tries: Map<Rule, Tries>;
}

interface Tries {
  /** The first offset still to try: a rule that did not match for one keyword does not match for another. */
  next: number;
  /** Where the last rejected match ended, and how many in a row ended there. */
  end: number;
  refused: number;
}

/**
 * The rule's match at a keyword that begins at `at`, inside a word if `prefixLength` is not 0. A rule tries each offset once
 * and reads a bounded number of characters, so the work is linear.
 */
function apply(
  rule: Rule,
  search: Search,
  at: number,
  prefixLength: number,
  add: (span: Span) => void,
): void {
  const { text } = search;
  const tries: Tries = search.tries.get(rule) ?? { next: 0, end: 0, refused: 0 };
  search.tries.set(rule, tries);
  const from = Math.max(at - rule.before, tries.next);
  if (from > at) return;
  const { pattern, tail } = rule.form();
  const match = matchAround(pattern, text, from, at);
  tries.next = (match?.index ?? at) + 1;
  if (match === null) return;
  const tailEnd = endOfTail(tail, search, match.index + match[0].length);
  if (tailEnd === undefined) return;
  const start = match.index + (match[1] === undefined ? 0 : match[0].lastIndexOf(match[1]));
  const end = tail.length > 0 ? tailEnd : start + (match[1] ?? match[0]).length;
  const secret = text.slice(start, Math.min(end, start + redactTokenJudgedCharsMax));
  const isGenerated = prefixLength === 0 || isTokenInWord(text, start, secret, prefixLength);
  if (!isGenerated || !isAccepted(rule, secret, text, match.index)) {
    tries.refused = end === tries.end ? tries.refused + 1 : 1;
    tries.end = end;
    // The keyword repeats inside one run of characters.
    if (tries.refused >= redactJudgedPerRunMax) tries.next = end;
    return;
  }
  tries.next = end;
  add({ start, end, kind: rule.name, rank: ranks.token });
}

/** Of base64, `+` and `/` do not end a word that a letter or digit begins. */
function beginsWord(text: string, start: number, end: number): boolean {
  if (!isBoundary(text, start)) return false;
  const before = text.charCodeAt(start - 1);
  return !((before === 43 || before === 47) && isWord(text.charCodeAt(end - 1)));
}

/** The first match that begins at `from` to `to`. */
function matchAround(pattern: RegExp, text: string, from: number, to: number): RegExpExecArray | null {
  for (let at = from; at <= to; at++) {
    const match = matchAt(pattern, text, at);
    if (match !== null) return match;
  }
  return null;
}

function endOfTail(tail: Form['tail'], { text, endOfRun }: Search, from: number): number | undefined {
  let at: number | undefined = from;
  for (const part of tail)
    at = at === undefined ? undefined : typeof part === 'string' ? endOfRun(part, at) : endAt(part, text, at);
  return at;
}

function isAccepted(rule: Rule, secret: string, text: string, start: number): boolean {
  if (secret.includes('<redacted:') || shownMasked.test(secret)) return false;
  if (rule.entropyMin > 0 && entropy(secret) < rule.entropyMin) return false;
  return rule.check === undefined || rule.check(secret, { text, start });
}

/** An example in documentation. */
const shownMasked =
  /x{6,}|X{6,}|\*{3,}|your[_-]?(?:api|token|key|secret)|(?:placeholder|replace_?me|put_your)/i;
