import path from 'node:path';
import { whatWords } from '#core/rpc';
import { clipped } from '#core/text';
import { withoutLead, withoutLineMarks } from '#reading/talk';
import { fromWords, type Io } from './io.ts';
import type { HitReply, SummaryReply } from './replies.ts';
import { dateWords, inLine, printable, timeOf, wrap } from './words.ts';

const toolColumns = 10;

/** `  16:05  Bash       Ran npm test: 3 failed  #12`, cut at the edge of the screen. */
export function logLine(one: SummaryReply, io: Io): string {
  const id = `#${one.id}`;
  const lead = `  ${timeOf(one.ts)}  `;
  const tool = inLine(actorOf(one)).slice(0, toolColumns).padEnd(toolColumns);
  const room = Math.max(16, io.columns - lead.length - toolColumns - id.length - 4);
  const text = clipped(saidIn(one).replace(/\s+/g, ' '), room);
  return `${io.style('dim', lead)}${io.style(one.kind === 'message' ? 'magenta' : 'cyan', tool)}  ${
    one.isError ? io.style('red', text) : text
  }  ${io.style('dim', id)}${fromWords(one, io)}`;
}

/** `#12  2026-02-11  Bash: Ran npm test: 3 failed`, cut at the edge of the screen. */
export function shortLine(one: SummaryReply & Partial<HitReply>, io: Io): string {
  const lead = `${`#${one.id}`.padEnd(7)} ${dateWords(new Date(one.ts))}  `;
  const said = one.passage ?? saidIn(one);
  const text = inLine(`${whatWords(one)}: ${one.kind === 'message' ? withoutLineMarks(said) : said}`);
  const where = one.workspace === undefined ? '' : `  ${inLine(path.basename(one.workspace))}`;
  const room = Math.max(16, io.columns - lead.length - where.length);
  return `${io.style('dim', lead)}${clipped(text, room)}${io.style('green', where)}${fromWords(one, io)}`;
}

/** Who said a message, or what a call ran. */
export function actorOf(one: SummaryReply): string {
  if (one.kind !== 'message') return whatWords(one);
  return one.role === 'assistant' ? 'assistant' : 'user';
}

/** A summary of a message says who said it, which the line does already. */
export function saidIn({ kind, role, text }: SummaryReply): string {
  return printable(kind === 'message' ? withoutLead(text, role) : text);
}

/** A message with its words below it. */
export function saidLines(one: SummaryReply, full: boolean, io: Io): string {
  const who = one.role === 'assistant' ? 'The assistant' : 'The user';
  const heading = `${io.style('magenta', who)}${io.style('dim', ` · ${timeOf(one.ts)} · #${one.id}`)}${fromWords(one, io)}`;
  const text = saidIn(one).trim();
  // Code and tables of a whole text keep their lines.
  const body = full ? text.replaceAll(/^/gm, '    ') : wrap(text, io.columns, '    ');
  return `\n${heading}\n${body}`;
}
