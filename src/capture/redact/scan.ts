import { redactJudgedPerRunMax } from '../../core/limits.ts';
import { assignments } from './assignment.ts';
import { Automaton } from './automaton.ts';
import { continued } from './continued.ts';
import { cookies } from './cookie.ts';
import { jsonWebKeys } from './jwk.ts';
import { privateKeys } from './keys.ts';
import { kubernetesSecrets } from './kubernetes.ts';
import { privateParts } from './private-parts.ts';
import { prose } from './prose.ts';
import { isBoundary, isWord, type Notes, type Rule, ranks, type Scanner, type Span } from './rule.ts';
import { rules } from './rules/index.ts';
import { runsIn } from './runs.ts';
import { tables } from './tables.ts';
import { isTokenInWord, mayBeginInWord } from './token-in-word.ts';
import { typed } from './typed.ts';
import { veiled } from './unveiled.ts';
import { entropy } from './value.ts';

const redactTokenJudgedCharsMax = 512;

const scanners: readonly Scanner[] = [
  ...[privateParts, privateKeys, kubernetesSecrets],
  ...[cookies, jsonWebKeys, tables, assignments, continued, prose, typed, veiled],
];

interface Plan {
  readonly automaton: Automaton;
  /** By keyword: its length, its rules by their place, the indexes of its scanners. Undefined where it has none. */
  readonly lengths: readonly number[];
  readonly placed: readonly (Record<'word' | 'anywhere', Rule[]> | undefined)[];
  readonly free: readonly (readonly Rule[] | undefined)[];
  readonly scanners: readonly (readonly number[])[];
}

let plan: Plan | null = null;

/** Built on first use: it takes 10 ms and 10 MiB, which a thread without redaction need not spend. */
function planOf(): Plan {
  plan ??= makePlan();
  return plan;
}

function makePlan(): Plan {
  const byKeyword = new Map<string, Record<Rule['at'], Rule[]> & { scanners: number[] }>();
  const entryOf = (keyword: string) => {
    const entry = byKeyword.get(keyword) ?? { word: [], anywhere: [], free: [], scanners: [] };
    byKeyword.set(keyword, entry);
    return entry;
  };
  for (const rule of rules) for (const keyword of rule.keywords) entryOf(keyword)[rule.at].push(rule);
  scanners.forEach((scanner, index) => {
    for (const keyword of scanner.keywords) entryOf(keyword).scanners.push(index);
  });
  const keywords = [...byKeyword.keys()];
  const entries = [...byKeyword.values()];
  return {
    automaton: new Automaton(keywords),
    lengths: keywords.map((keyword) => keyword.length),
    placed: entries.map((entry) => (entry.word.length + entry.anywhere.length > 0 ? entry : undefined)),
    free: entries.map(({ free }) => (free.length > 0 ? free : undefined)),
    scanners: entries.map((entry) => entry.scanners),
  };
}

/** The secrets in a text, unordered and overlapping. Each rule and scanner runs only at its keywords. */
export function spansOf(text: string, notes: Notes): Span[] {
  const spans: Span[] = [];
  const add = (span: Span) => {
    if (span.end > span.start) spans.push(span);
  };
  const search: Search = { text, endOfRun: runsIn(text), tries: new Map() };
  const plan = planOf();
  const started = scanners.map(() => undefined as ((start: number, end: number) => void) | undefined);
  plan.automaton.scan(text, (keyword, end) => {
    const start = end - (plan.lengths[keyword] ?? 0);
    const placed = plan.placed[keyword];
    if (placed !== undefined) {
      const isWhole = beginsWord(text, start, end);
      if (isWhole) for (const rule of placed.word) apply(rule, search, start, 0, add);
      if (isWhole || mayBeginInWord(text, start, end))
        for (const rule of placed.anywhere) apply(rule, search, start, isWhole ? 0 : end - start, add);
    }
    for (const rule of plan.free[keyword] ?? []) apply(rule, search, start, 0, add);
    for (const index of plan.scanners[keyword] ?? []) {
      let scan = started[index];
      if (scan === undefined) {
        scan = scanners[index]?.begin(text, add, notes) ?? (() => {});
        started[index] = scan;
      }
      scan(start, end);
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
  const tries = triesOf(rule, search);
  const from = Math.max(at - rule.before, tries.next);
  if (from > at) return;
  const match = matchAround(rule.pattern, text, from, at);
  tries.next = (match?.index ?? at) + 1;
  if (match === null) return;
  const tail = endOfTail(rule.tail, search, match.index + match[0].length);
  if (tail === undefined) return;
  const start = match.index + (match[1] === undefined ? 0 : match[0].lastIndexOf(match[1]));
  const end = rule.tail.length > 0 ? tail : start + (match[1] ?? match[0]).length;
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

function triesOf(rule: Rule, { tries }: Search): Tries {
  const known = tries.get(rule);
  if (known !== undefined) return known;
  const started = { next: 0, end: 0, refused: 0 };
  tries.set(rule, started);
  return started;
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
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) return match;
  }
  return null;
}

function endOfTail(tail: Rule['tail'], { text, endOfRun }: Search, from: number): number | undefined {
  let at = from;
  for (const part of tail) {
    if (typeof part === 'string') at = endOfRun(part, at);
    else {
      part.lastIndex = at;
      if (!part.test(text)) return undefined;
      at = part.lastIndex;
    }
  }
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
