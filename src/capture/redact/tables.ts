import { redactHeaderCharsMax, redactJudgedCharsMax } from '../../core/limits.ts';
import { isSecret, kindOf, type ValueForm } from './judge.ts';
import { sensitivityOf } from './name.ts';
import type { Range } from './range.ts';
import type { Scanner, Span } from './rule.ts';
import { looksRandom } from './value.ts';

/**
 * Values in the columns of a table with a header (Markdown, `psql`, `mysql`, CSV) and in the tuples of an SQL
 * INSERT. Each row is read once.
 */
export const tables: Scanner = {
  keywords: ['passw', 'pwd', 'secret', 'token', 'api_key', 'apikey', 'api key', 'access key', 'insert into'],
  begin(text, add) {
    let seenUpTo = 0;
    return (start, end) => {
      if (start < seenUpTo) return;
      if (/^i/i.test(text.charAt(start)) && text.charAt(end - 1) !== 'n') {
        seenUpTo = Math.max(end, readTuples(text, start, add));
        return;
      }
      const header = lineAround(text, start);
      // The line is too long for a header: skip its other keywords.
      seenUpTo =
        header === undefined
          ? start + redactHeaderCharsMax
          : Math.max(header.end, readRows(text, header, add));
    };
  },
};

interface Column {
  readonly index: number;
  readonly name: string;
}

const literal: ValueForm = { quoted: true, tight: false, alone: true, loose: false };

/** The line at `at` if it is short enough for a header. */
function lineAround(text: string, at: number): Range | undefined {
  const from = Math.max(0, at - redactHeaderCharsMax);
  const before = text.slice(from, at).lastIndexOf('\n');
  if (before === -1 && from > 0) return undefined;
  const after = text.slice(at, at + redactHeaderCharsMax).indexOf('\n');
  // A header needs a row below it.
  return after === -1 ? undefined : { start: from + before + 1, end: at + after };
}

function readRows(text: string, { start, end }: Range, add: (span: Span) => void): number {
  const header = text.slice(start, end).replace(/\r$/, '');
  const sign = ['|', '\t', ',', ';'].find((one) => header.includes(one));
  if (sign === undefined) return end;
  let at = end + 1;
  if (sign === '|') {
    const rule = lineAt(text, at);
    if (rule === undefined || !/^[\s|:+=-]{3,}$/.test(text.slice(rule.start, rule.end))) return end;
    at = rule.end + 1;
  }
  const names = cellsOf(header, 0, sign).map((cell) => header.slice(cell.start, cell.end));
  // Without borders a header looks like code or prose, so every column must have a name.
  const isDrawn = sign === '|';
  const isName = isDrawn ? /^[\w ./()-]{0,40}$/ : /^[A-Za-z][\w .()-]{0,40}$/;
  if (
    names.length < 2 ||
    (!isDrawn && looksLikeCode.test(header)) ||
    !names.every((name) => isName.test(name))
  )
    return end;
  const columns = namedColumns(names, !isDrawn);
  if (columns.length === 0) return end;
  for (let line = lineAt(text, at); line !== undefined; line = lineAt(text, at)) {
    const row = text.slice(line.start, line.end);
    const cells = cellsOf(row, line.start, sign);
    if (/^\s*\+[-+=]+\+?\s*$/.test(row)) at = line.end + 1;
    else if (cells.length !== names.length) return at;
    else {
      for (const column of columns) judgeCell(text, cells[column.index], column, add, !isDrawn);
      at = line.end + 1;
    }
  }
  return at;
}

const looksLikeCode =
  /^(?:\s|(?:select|from|import|export|const|let|var|return|def|func|function|with|order|group|case|if|for)\b)/i;

function lineAt(text: string, at: number): Range | undefined {
  if (at >= text.length) return undefined;
  const end = text.indexOf('\n', at);
  return { start: at, end: end === -1 ? text.length : end };
}

/** The cells of a row without blanks and quotes. Offsets count from `offset`. */
function cellsOf(row: string, offset: number, sign: string): Range[] {
  const cells: Range[] = [];
  const cell = sign === '|' ? /([^|]*)(\||$)/g : /[ ]*("(?:[^"]|"")*"[^,;\t]*|[^,;\t]*)([,;\t]|$)/g;
  for (const match of row.matchAll(cell)) {
    if (match[0] === '' && match.index === row.length && cells.length > 0 && sign === '|') break;
    const content = match[1] ?? '';
    const from = match.index + match[0].indexOf(content);
    const lead = /^[\s"]*/.exec(content)?.[0].length ?? 0;
    const inner = content.slice(lead).replace(/[\s"]+$/, '');
    cells.push({ start: offset + from + lead, end: offset + from + lead + inner.length });
    if (match[2] === '') break;
  }
  return cells;
}

function namedColumns(names: readonly string[], strict: boolean): Column[] {
  return names.flatMap((name, index) => {
    const sensitivity = sensitivityOf(name);
    // Prose has commas too, so the name must be explicit.
    const isNamed = strict ? sensitivity === 'password' || sensitivity === 'secret' : sensitivity !== 'none';
    return isNamed ? [{ index, name }] : [];
  });
}

const tuple = /\s{0,80}\(/y;
const item =
  /\s{0,80}(?:[NEB]?'((?:[^'\\]|''|\\.)*)'|"((?:[^"\\]|\\.)*)"|[^,()'"]{0,200}(?:\([^()]{0,200}\))?)\s{0,80}([,)])/y;
const opening = /insert\s{1,20}into\s{1,20}[\w."`[\]]{1,128}\s{0,20}\(([^()]{1,1000})\)\s{0,20}values/iy;

/** The tuples of `INSERT INTO t (columns) VALUES (...), (...)`. */
function readTuples(text: string, start: number, add: (span: Span) => void): number {
  opening.lastIndex = start;
  const match = opening.exec(text);
  if (match === null) return start;
  const columns = namedColumns(
    (match[1] ?? '').split(',').map((name) => name.replace(/[\s"`[\]]/g, '')),
    true,
  );
  let at = opening.lastIndex;
  for (tuple.lastIndex = at; columns.length > 0 && tuple.test(text); tuple.lastIndex = at) {
    at = tuple.lastIndex;
    for (let index = 0; ; index++) {
      item.lastIndex = at;
      const found = item.exec(text);
      if (found === null) return at;
      const value = found[1] ?? found[2];
      const column = columns.find((one) => one.index === index);
      if (value !== undefined && column !== undefined) {
        const from = at + found[0].search(/['"]/) + 1;
        judgeCell(text, { start: from, end: from + value.length }, column, add, false);
      }
      at = item.lastIndex;
      if (found[3] === ')') break;
    }
    if (text.charAt(at) === ',') at += 1;
  }
  return at;
}

function judgeCell(
  text: string,
  cell: Range | undefined,
  { name }: Column,
  add: (span: Span) => void,
  strict: boolean,
): void {
  if (cell === undefined) return;
  const value = text.slice(cell.start, Math.min(cell.end, cell.start + redactJudgedCharsMax));
  if (strict && !/\d/.test(value) && !looksRandom(value)) return;
  const sensitivity = sensitivityOf(name);
  if (value !== '' && isSecret(name, sensitivity, value, literal))
    add({ ...cell, ...kindOf(name, sensitivity) });
}
