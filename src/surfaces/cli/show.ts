import { isObject, stringAt } from '#core/event';
import { pinWords, shortSession, whatWords } from '#core/rpc';
import type { FileReport } from '#surfaces/install';
import { type Fact, fromFact, fromWords, headingOf, type Io } from './io.ts';
import type { DetailReply, SummaryReply, WhyReply } from './replies.ts';
import { saidIn } from './show-log.ts';
import { digestLines } from './show-session.ts';
import { ago, capital, duration, fitted, inHome, inLine, printable, wrap } from './words.ts';

/** A memory: a heading line and its text. */
export function summaryLines(
  summary: SummaryReply & { readonly count?: number | undefined },
  io: Io,
  lead = '',
): string {
  const { kind, text } = summary;
  const heading = [...leadFacts(summary), ...sourceFacts(summary)];
  const body = kind === 'session' ? digestLines(text, io) : wrap(saidIn(summary), io.columns, '    ');
  return `${headingOf(lead, heading, io)}\n${body}`;
}

/** Its id, what it is, how old, and how often it was so. */
export function leadFacts(summary: SummaryReply & { readonly count?: number | undefined }): Fact[] {
  const { id, kind, ts, count = 1 } = summary;
  const facts = [`#${id}`, whatWords(summary), ago(ts, Date.now())].join(' · ');
  return [
    [inLine(facts), kind === 'call' ? 'cyan' : 'magenta'],
    count > 1 ? [`${count} times`, 'yellow'] : null,
  ];
}

/** Where a memory comes from. The builtin summariser wrote most. */
export function sourceFacts(summary: SummaryReply): Fact[] {
  const { sessionId, model } = summary;
  const pin = pinWords(summary);
  return [
    sessionId === '' ? null : [`session ${inLine(shortSession(sessionId))}`, 'dim'],
    model === 'builtin' ? null : [inLine(model), 'dim'],
    fromFact(summary),
    pin === null ? null : [inLine(pin), 'yellow'],
  ];
}

/** A memory shown as a whole: what it is, when, and where it comes from. */
export function wholeHeading(summary: DetailReply, what: string, io: Io): string {
  const { id, ts, kind, payload } = summary;
  const when = ago(ts, Date.now());
  // After a week the age is the date.
  const facts = [`#${id}`, what, ...(/^\d{4}-/.test(when) ? [] : [when]), ts.slice(0, 16).replace('T', ' ')];
  const client = isObject(payload) ? stringAt(payload, 'client') : undefined;
  const by: Fact = kind === 'message' && client !== undefined ? [inLine(client), 'dim'] : null;
  const lead: Fact = [inLine(facts.join(' · ')), kind === 'message' ? 'magenta' : 'cyan'];
  return headingOf('', [lead, ...sourceFacts(summary), by], io);
}

/** A message as it was written, with who said it, and how to see its turn. */
export function messageLines(message: DetailReply, io: Io): string {
  const { id, turnId, text } = message;
  const turn = turnId == null ? [] : ['', io.style('dim', `The calls of this turn: mem timeline ${id}`)];
  return [
    wholeHeading(message, capital(whatWords(message)), io),
    '',
    fitted(printable(text), io),
    ...turn,
  ].join('\n');
}

/** The state of a memory as words. */
export function stateWords(state: NonNullable<DetailReply['state']>, io: Io, indent = ''): string {
  const colour = ({ current: 'green', changed: 'yellow', gone: 'red', unknown: 'dim' } as const)[
    state.verdict
  ];
  const [first = '', ...rest] = wrap(
    printable(`${state.verdict}: ${state.detail}`),
    io.columns,
    indent,
  ).split('\n');
  const verdict = io.style(colour, first.slice(0, indent.length + state.verdict.length));
  const detail = [first.slice(indent.length + state.verdict.length), ...rest];
  return `${verdict}${detail.map((line) => io.style('dim', line)).join('\n')}`;
}

/** The numbers of a hit, as a sum that a reader can check. */
export function whyLines(why: WhyReply, io: Io): string {
  const { bm25, vector, decay, rrf, factors = {}, legs = {} } = why;
  const rankOf = (rank: number | null): string => (rank === null ? 'not found' : `rank ${rank}`);
  const row = (name: string, detail: string, value: string): string =>
    `${io.style('dim', name.padEnd(14))}${detail.padEnd(34)}${value.padStart(12)}`;
  const number = (value: number): string => value.toFixed(6);
  return [
    `${io.style('bold', `memory #${why.id}`)}${fromWords(why, io)}`,
    row('bm25', `${rankOf(bm25.rank)}, score ${(bm25.score ?? 0).toFixed(3)}`, number(bm25.contribution)),
    row(
      'vector',
      `${rankOf(vector.rank)}, similarity ${(vector.similarity ?? 0).toFixed(3)}`,
      `+ ${number(vector.contribution)}`,
    ),
    ...Object.entries(legs).map(([name, leg]) =>
      row(name, leg.rank === null ? '' : rankOf(leg.rank), `+ ${number(leg.contribution)}`),
    ),
    row(
      'decay',
      `${duration(decay.ageDays * 86_400)} old${decay.pinned ? ', pinned' : ''}`,
      `x ${number(decay.factor)}`,
    ),
    ...Object.entries(factors).map(([name, factor]) => row(name, '', `x ${number(factor)}`)),
    row('score', rrf.rank === null ? 'not among the hits' : `rank ${rrf.rank}`, `= ${number(rrf.score)}`),
    ...(why.state == null
      ? []
      : [
          io.style('dim', 'state'.padEnd(14)) +
            wrap(printable(`${why.state.verdict}: ${why.state.detail}`), io.columns, ' '.repeat(14)).trim(),
        ]),
    '',
    wrap(printable(why.explanation), io.columns, ''),
  ].join('\n');
}

/** What was done to each file of an assistant. */
export function changeLines(files: readonly FileReport[], io: Io): string {
  const lines = files.map(({ file, action, backup }) => {
    const kept = backup === undefined ? [] : [`          backup: ${backup}`];
    const done = `${io.style(action === 'unchanged' ? 'dim' : 'green', action.padEnd(9))} ${file}`;
    return [done, ...kept].map((line) => inHome(printable(line), io)).join('\n');
  });
  return lines.join('\n');
}

/** A name and the text next to it, which is harmless. */
export type Row = readonly [name: string, text: string];

/** No row without a text. */
export function rowOf(name: string, text: string | null): readonly Row[] {
  return text === null ? [] : [[name, text]];
}

/** On a terminal wrapped, with further lines after `indent` blanks. */
export function inWidth(text: string, io: Io, indent = 0): string {
  return io.isTerminal ? wrap(text, io.columns, ' '.repeat(indent)).trimStart() : text;
}

/** Names with a text next to each; on a terminal wrapped in its column, which is at least `columnMin` wide. */
export function rowLines(rows: readonly Row[], io: Io, columnMin = 0): string {
  const column = Math.max(columnMin, ...rows.map(([name]) => name.length)) + 1;
  const lines = rows.map(([name, text]) => {
    const words = inWidth(text, io, column);
    return `${io.style('dim', name.padEnd(column))}${words}`;
  });
  return lines.join('\n');
}
