import { isObject, own } from '#core/event';
import { type Call, numberAt } from '#reading/call';
import { outline } from '#reading/edits';
import { pathsOf } from '#reading/subjects';
import { counted, dialectOf, listed, oneLine, plainLines, quoted, shownPath } from '#reading/text';
import { type Account, failedAccount } from './account.ts';
import { firstRemark } from './remark.ts';

/** The file, the lines read, and an outline of them; not their text. */
export function readAccount(call: Call): Account {
  const paths = pathsOf(call);
  const names = paths.map((path) => shownPath(path, call.cwd));
  const shown = names.length === 0 ? call.tool : listed(names, 200);
  const range = rangeOf(call);
  const all = paths.join(' ');
  if (call.result.failed) return failedAccount(call, `read of ${shown}${range}`, 220, [all]);
  const dialect = dialectOf(paths[0] ?? '');
  const lines = plainLines(call.result.text).map(withoutNumber);
  const heads = outline(lines, dialect);
  const remark = firstRemark(lines.slice(0, 12), 'code', 0);
  return {
    text: `Read ${shown}${range}${content(lines, heads, remark)}`,
    terms: [all, heads.join(' '), remark ?? ''],
  };
}

function content(lines: readonly string[], names: readonly string[], remark: string | null): string {
  if (lines.length === 0) return '';
  const size = counted(lines.length, 'line');
  if (names.length > 0) return ` (${size}): ${listed(names, 220)}`;
  if (remark !== null) return ` (${size}): “${oneLine(remark, 140)}”`;
  return ` (${size}): ${quoted(lines[0] ?? '', 120)}`;
}

/** Clients number the lines they show: `  12→text`, `12: text`. */
function withoutNumber(line: string): string {
  return line.replace(/^\s{0,8}\d{1,7}(?:→|\t|: ?)/, '');
}

function rangeOf(call: Call): string {
  const total = totalLines(call);
  const of = total === null ? '' : ` of ${total}`;
  const offset = numberAt(call.input, 'offset', 'start_line', 'startLine', 'start');
  const limit = numberAt(call.input, 'limit');
  const end = numberAt(call.input, 'end_line', 'endLine', 'end');
  const range = own(call.input, 'view_range');
  if (Array.isArray(range) && typeof range[0] === 'number')
    return ` lines ${range[0]}-${range[1] ?? ''}${of}`;
  if (offset === null && limit === null && end === null) return '';
  const from = offset ?? 1;
  const to = end ?? (limit === null ? null : from + limit - 1);
  return to === null ? ` from line ${from}${of}` : ` lines ${from}-${to}${of}`;
}

function totalLines(call: Call): number | null {
  if (!isObject(call.output)) return null;
  const file = own(call.output, 'file');
  return isObject(file) ? numberAt(file, 'totalLines') : null;
}
