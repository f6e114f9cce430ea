import { redactHeaderCharsMax, redactJudgedCharsMax } from '#core/limits';
import { endAt, looksRandom, matchAt, type Range, type Scanner, type Span } from '#redact/form';
import { isSecret, kindOf, quotedForm, sensitivityOf } from '#redact/names';
import { nounAt } from './prose-nouns.ts';

/**
 * Values in the columns of a table with a header (Markdown, `psql`, `mysql`, CSV) and in the tuples of an SQL
 * INSERT. Each row is read once.
 */
export const tables: Scanner = {
  keywords:
    'passw|pwd|pass |secret|token|api_key|apikey|api key|access key|insert into|contrase|senha|kennwort|wachtwoord|mot de passe|парол|密|口令|パス|비밀|şifre|hasł'.split(
      '|',
    ),
  begin: (text, add) => (start, end) => {
    if (/^in/i.test(text.slice(start, start + 2))) return Math.max(end, readTuples(text, start, add));
    const header = lineAround(text, start);
    // The line is too long for a header: skip its other keywords.
    return header === undefined ? start + redactHeaderCharsMax : readRows(text, header, add);
  },
};

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
  const isDrawn = sign === '|';
  const rule = isDrawn ? lineAt(text, end + 1) : { start, end };
  if (rule === undefined || (isDrawn && !/^[\s|:+=-]{3,}$/.test(text.slice(rule.start, rule.end))))
    return end;
  const names = cellsOf(header, 0, sign).map((cell) => header.slice(cell.start, cell.end));
  // Without borders a header looks like code or prose, so every column must have a name.
  const isName = isDrawn ? /^[\p{L}\w ./()-]{0,40}$/u : /^[A-Za-z][\w .()-]{0,40}$/;
  if (
    names.length < 2 ||
    (!isDrawn && looksLikeCode.test(header)) ||
    !names.every((name) => isName.test(name))
  )
    return end;
  // `pass` alone is also a run of a test or of a compiler.
  const isPlain = !names.some((name) => ofAccount.test(name));
  const columns = secretColumns(
    names.map((name) => (isPlain && /^pass$/i.test(name) ? '' : name)),
    !isDrawn,
  );
  let line = columns.some(Boolean) ? lineAt(text, rule.end + 1) : undefined;
  for (; line !== undefined; line = lineAt(text, line.end + 1)) {
    const row = text.slice(line.start, line.end);
    if (/^\s*\+[-+=]+\+?\s*$/.test(row)) continue;
    const cells = cellsOf(row, line.start, sign);
    if (cells.length !== names.length) return line.start;
    for (const [index, cell] of cells.entries()) judgeCell(text, cell, columns[index], add, !isDrawn);
  }
  return columns.some(Boolean) ? text.length : end;
}

const ofAccount = /user|login|account|mail|host|server|service|usu|utent|utilis|benutz|gebruik|konto/i;

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

/** The names of the columns that hold secrets, each at its place. Prose has commas too, so `strict` wants explicit ones. */
function secretColumns(names: readonly string[], strict: boolean): (string | undefined)[] {
  const hasUsers = names.some((name) => /^(?:user(?:name)?|login|account|e-?mail)$/i.test(name));
  return names.map((header) => {
    const noun = nounAt(header, 0);
    const isForeign = noun?.kind === 'password' && noun.isForeign && noun.end === header.length;
    // Tests pass too.
    const name = isForeign ? 'password' : hasUsers && /^pass$/i.test(header) ? 'pass_token' : header;
    const sensitivity = sensitivityOf(name);
    const isNamed = strict ? /^(?:password|secret)$/.test(sensitivity) : sensitivity !== 'none';
    return isNamed ? name : undefined;
  });
}

const tuple = /\s{0,80}\(/y;
const item =
  /\s{0,80}(?:[NEB]?'((?:[^'\\]|''|\\.)*)'|"((?:[^"\\]|\\.)*)"|[^,()'"]{0,200}(?:\([^()]{0,200}\))?)\s{0,80}([,)])/y;
const opening = /insert\s{1,20}into\s{1,20}[\w."`[\]]{1,128}\s{0,20}\(([^()]{1,1000})\)\s{0,20}values/iy;

/** The tuples of `INSERT INTO t (columns) VALUES (...), (...)`. */
function readTuples(text: string, start: number, add: (span: Span) => void): number {
  const match = matchAt(opening, text, start);
  if (match === null) return start;
  const names = (match[1] ?? '').split(',').map((name) => name.replace(/[\s"`[\]]/g, ''));
  const columns = secretColumns(names, true);
  let at = start + match[0].length;
  let next = columns.some(Boolean) ? endAt(tuple, text, at) : undefined;
  for (; next !== undefined; next = endAt(tuple, text, at)) {
    at = next;
    for (let index = 0, sign = ','; sign === ','; index++) {
      const found = matchAt(item, text, at);
      if (found === null) return at;
      const value = found[1] ?? found[2];
      const from = at + found[0].search(/['"]/) + 1;
      if (value !== undefined)
        judgeCell(text, { start: from, end: from + value.length }, columns[index], add, false);
      at += found[0].length;
      sign = found[3] ?? '';
    }
    if (text.charAt(at) === ',') at += 1;
  }
  return at;
}

function judgeCell(
  text: string,
  cell: Range,
  name: string | undefined,
  add: (span: Span) => void,
  strict: boolean,
): void {
  const value = text.slice(cell.start, Math.min(cell.end, cell.start + redactJudgedCharsMax));
  if (name === undefined || value === '' || (strict && !/\d/.test(value) && !looksRandom(value))) return;
  const sensitivity = sensitivityOf(name);
  if (isSecret(name, sensitivity, value, quotedForm)) add({ ...cell, ...kindOf(name, sensitivity) });
}
