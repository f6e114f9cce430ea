import { toolFamily } from '#core/event';
import { groupedBySession, shortSession } from '#core/rpc';
import { clipped } from '#core/text';
import { withoutLineMarks } from '#reading/talk';
import { marked, stem, type Wanted, wantedOf } from '#reading/terms';
import { type Fact, headingOf, type Io } from './io.ts';
import type { HitReply } from './replies.ts';
import { leadFacts, sourceFacts, stateWords } from './show.ts';
import { actorOf, saidIn } from './show-log.ts';
import { digestLines } from './show-session.ts';
import { inHome, inLine, printable, wrap } from './words.ts';

const indent = '    ';

/** On a terminal: the part with most words of the query. */
const passageLinesMax = 4;

/** Hits as a person reads them: those of a session below its title, numbered as they are printed, each with what came next. */
export function hitsLines(
  hits: readonly HitReply[],
  query: string,
  io: Io,
  linesMax = io.isTerminal ? passageLinesMax : Infinity,
): string {
  const wanted = wantedOf(query);
  let number = 0;
  const groups = groupedBySession(hits).map((group) => {
    const lines = group.map((hit) => {
      number += 1;
      // One alone may be taken from a list.
      return hitLines(hits.length === 1 ? hit.rank : number, hit, wanted, linesMax, io);
    });
    return [...placeLines(group[0], io), lines.join('\n\n')].join('\n');
  });
  return groups.join('\n\n');
}

/** The title of a session, the name by which other commands find it, and its project if all were searched. */
function placeLines({ title = '', sessionId, workspace }: HitReply, io: Io): string[] {
  const names: Fact[] = [
    workspace === undefined ? null : [inLine(`in ${inHome(workspace, io)}`), 'green'],
    sessionId === '' ? null : [inLine(`session ${shortSession(sessionId)}`), 'dim'],
  ];
  const room = io.columns - names.reduce((sum, fact) => sum + (fact === null ? 0 : 3 + fact[0].length), 0);
  const name: Fact = title === '' ? null : [clipped(inLine(title), Math.max(32, room)), 'bold'];
  const line = headingOf('', [name, ...names], io);
  return line === '' ? [] : [line];
}

function hitLines(number: number, hit: HitReply, wanted: Wanted, linesMax: number, io: Io): string {
  const { score, supersededBy, state, why } = hit;
  const heading: Fact[] = [
    ...leadFacts(hit),
    why === undefined ? null : [`score ${score.toFixed(4)}`, 'dim'],
    // The line above names the session.
    ...sourceFacts({ ...hit, sessionId: '' }),
    supersededBy === undefined ? null : [`superseded by #${supersededBy}`, 'yellow'],
  ];
  return [
    headingOf(`${io.style('bold', String(number).padStart(2))}  `, heading, io),
    bodyLines(hit, wanted, linesMax, io),
    ...(state == null || isUsual(state, hit) ? [] : [stateWords(state, io, indent)]),
    ...nextLines(hit, io),
    ...(why === undefined ? [] : [io.style('dim', whyWords(why.explanation, io))]),
  ].join('\n');
}

/** Most memories are of no file, and most runs have no later one: a line for each would say nothing. */
function isUsual({ verdict }: NonNullable<HitReply['state']>, { tool }: HitReply): boolean {
  return verdict === 'unknown' || (verdict === 'current' && toolFamily(tool) === 'command');
}

/** The part that answers, the words of the query marked. */
function bodyLines(hit: HitReply, wanted: Wanted, max: number, io: Io): string {
  const { kind, text, passage = saidIn(hit) } = hit;
  const words = kind === 'message' ? withoutLineMarks(passage) : passage;
  // On a terminal with room for the sign of a cut.
  const columns = io.isTerminal ? io.columns - 2 : io.columns;
  const lines =
    kind === 'session' ? digestLines(text, { ...io, columns }) : wrap(inLine(words), columns, indent);
  return marked(bestOf(lines.split('\n'), wanted, max).join('\n'), wanted)
    .map((span) => (span.isMatch ? io.style('green', span.text) : span.text))
    .join('');
}

/** At most `max` lines that follow each other, those with most matches, one line before the first where there is room. */
function bestOf(lines: readonly string[], wanted: Wanted, max: number): readonly string[] {
  if (lines.length <= max) return lines;
  const matches = lines.map((line) =>
    marked(line, wanted).flatMap(({ text, isMatch }) => (isMatch ? [stem(text.toLowerCase())] : [])),
  );
  // A further word counts more than the same one again.
  const sums = lines.slice(max - 1).map((_, at) => {
    const words = matches.slice(at, at + max).flat();
    return new Set(words).size + words.length / 1000;
  });
  const most = Math.max(...sums);
  let from = most === 0 ? 0 : sums.indexOf(most);
  while (most > 0 && sums[from + 1] === most && sums[from + 2] === most) from += 1;
  return lines.slice(from, from + max).map((line, at) => {
    const begun = at === 0 && from > 0 ? line.replace(/^ {4}/, '  … ') : line;
    return at === max - 1 && from + max < lines.length ? `${begun} …` : begun;
  });
}

function nextLines({ next }: HitReply, io: Io): string[] {
  if (next === undefined) return [];
  const line = inLine(`then ${actorOf(next)}: ${saidIn(next)}`);
  return [io.style('dim', indent + clipped(line, Math.max(16, io.columns - indent.length)))];
}

function whyWords(explanation: string, io: Io): string {
  return `${indent}why: ${wrap(printable(explanation), io.columns, ' '.repeat(9)).trimStart()}`;
}
