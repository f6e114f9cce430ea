import type { SessionAccount } from './account.ts';

const wordsMax = 60;

/** Questions that a session can answer. */
type Asked = (account: SessionAccount) => readonly string[];

/** In the order in which they are offered: one of each kind first. */
const kinds: readonly Asked[] = [
  ({ decided }) => decided.filter(({ by }) => by === 'words').map(({ text }) => text),
  ({ checks }) =>
    checks
      .filter(
        ({ end, isFixed, isMoot, failed }) => failed !== null && !isMoot && (isFixed || end === 'passed'),
      )
      .map(({ name }) => `what fixed ${name}`),
  ({ files }) =>
    [...files]
      .filter(({ isGone }) => !isGone)
      .sort((a, b) => b.edits - a.edits)
      .slice(0, 1)
      .map(({ path }) => `why did we change ${path.split('/').at(-1)}`),
  ({ goal }) => (goal === null ? [] : [goal.title || goal.short]),
];

/** A question, and the session that has its answer. */
export interface Question {
  readonly query: string;
  readonly sessionId: string;
}

/** Questions that a user may ask of these sessions, the newest first, each as one line that a shell takes between quotation marks. */
export function questionsOf(
  sessions: readonly (readonly [id: string, account: SessionAccount])[],
): Question[] {
  const each = kinds.map((kind) =>
    sessions
      .flatMap(([sessionId, account]) => kind(account).map((text) => ({ query: typed(text), sessionId })))
      .filter(({ query }) => query !== ''),
  );
  const longest = Math.max(...each.map((texts) => texts.length));
  const inTurns = Array.from({ length: longest }, (_, at) =>
    each.flatMap((texts) => texts.slice(at, at + 1)),
  );
  return [...new Map(inTurns.flat().map((one) => [one.query, one])).values()];
}

/** A text as somebody would type it, a long one up to the end of a clause or a word; empty if too little is left. */
function typed(text: string): string {
  const words = (text.split(' \u2192 ')[0] ?? '')
    .replace(/[^\p{L}\p{N}\p{M} ,.:/_'-]+/gu, ' ')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .split(/\s+/)
    .filter(Boolean);
  let line = '';
  for (const word of words) {
    if (line.length + 1 + word.length > wordsMax) break;
    line = `${line} ${word}`.trim();
  }
  const [clause = line] = (line === words.join(' ') ? null : cut.exec(line)) ?? [];
  // An option without its value says nothing.
  const whole = (clause.split(' ').length >= wordsMin ? clause : line)
    .replace(/(?: --?\w[\w-]*)+$/, '')
    .replace(dangling, '');
  return whole.split(' ').length < wordsMin ? '' : whole.replace(/(?<=[\p{L}\p{N}])[,.:]$/u, '');
}

const wordsMin = 3;
/** Up to the end of a clause. */
const cut = /^.*[\p{L}\p{N}](?=[,.:] )/u;
const dangling = /(?: (?:in|on|at|of|to|for|from|with|by|and|or|the|an?))+$/i;
