import { builtinTextChars } from '#core/limits';
import type { Call } from '#reading/call';
import {
  changesIn,
  comment,
  declared,
  enclosing,
  type FileChange,
  type Hunk,
  outline,
  sizeOf,
} from '#reading/edits';
import { counted, type Dialect, dialectOf, listed, oneLine, quoted, shownPath } from '#reading/text';
import { type Account, failedAccount } from './account.ts';
import { firstRemark } from './remark.ts';
import { informative, wordsOf } from './words.ts';

/** The file, the symbol, and the lines added and removed. */
export function editAccount(call: Call): Account {
  const changes = changesIn(call);
  const [only] = changes;
  if (call.result.failed) {
    const paths = changes.map((change) => shownPath(change.path, call.cwd));
    const places = listed(paths, 200);
    const what = `edit of ${places === '' ? call.tool : places}`;
    return failedAccount(call, what, 220, [...changeTerms(changes), call.result.text.slice(0, 1_000)]);
  }
  if (only === undefined)
    return { text: `Edited with ${call.tool}. ${oneLine(call.result.text, 200)}`, terms: [call.result.text] };
  if (changes.length === 1) {
    const change = describeChange(only, builtinTextChars - 140);
    return {
      text: `${verbs[only.kind]} ${shownPath(only.path, call.cwd)}${change}`,
      terms: changeTerms(changes),
    };
  }
  const each = Math.max(60, Math.floor((builtinTextChars - 100) / Math.min(changes.length, 4)));
  const parts = changes
    .slice(0, 4)
    .map((change) => `${shownPath(change.path, call.cwd)}${describeChange(change, each)}`);
  return {
    text: `Patched ${counted(changes.length, 'file')}: ${listed(parts, 2 * builtinTextChars, '; ')}`,
    terms: changeTerms(changes),
  };
}

const verbs = {
  edited: 'Edited',
  created: 'Created',
  overwrote: 'Rewrote',
  deleted: 'Deleted',
  moved: 'Moved',
} as const;

/** The change of a file, as the text after its name. */
function describeChange(change: FileChange, room: number): string {
  const dialect = dialectOf(change.path);
  const added = change.hunks.flatMap((hunk) => hunk.added);
  const removed = change.hunks.flatMap((hunk) => hunk.removed);
  const to = change.to === undefined ? '' : ` to ${change.to}`;
  if (added.length === 0 && removed.length === 0) return to;
  if (change.kind === 'created' || change.kind === 'overwrote')
    return `${to} (${counted(sizeOf(change.hunks).added, 'line')})${newText(added, dialect, room)}`;
  return `${to}${placeOf(change.hunks, dialect)}: ${changed(change.hunks, added, removed, dialect, room)}`;
}

function newText(added: readonly string[], dialect: Dialect, room: number): string {
  const names = outline(added, dialect);
  const remark = firstRemark(added, dialect);
  const parts: string[] = [];
  if (names.length > 0) parts.push(listed(names, remark === null ? room : room * 0.6));
  if (remark !== null && !names.includes(remark)) parts.push(`“${oneLine(remark, room * 0.5)}”`);
  if (parts.length === 0) parts.push(quoted(added[0] ?? '', room));
  return `: ${parts.join('; ')}`;
}

/** The symbol around the first change that has one. */
function placeOf(hunks: readonly Hunk[], dialect: Dialect): string {
  for (const hunk of hunks) {
    const name = enclosing(hunk, dialect);
    if (name !== null) return ` in ${name.includes(' ') ? `“${oneLine(name, 70)}”` : name}`;
  }
  return '';
}

function changed(
  hunks: readonly Hunk[],
  added: readonly string[],
  removed: readonly string[],
  dialect: Dialect,
  room: number,
): string {
  if (added.length === 1 && removed.length === 1) return replaced(removed[0] ?? '', added[0] ?? '', room);
  // One side is empty.
  if (added.length + removed.length <= 2) {
    const text = [...added, ...removed].map((line) => line.trim()).join(' ');
    return `${added.length > 0 ? 'added' : 'removed'} ${quoted(text, room)}`;
  }
  const context = hunks.flatMap((hunk) => hunk.context);
  const news = novelties(added, [...removed, ...context], dialect);
  const gone = novelties(removed, [...added, ...context], dialect);
  const remark = firstRemark(added, dialect) ?? literal(added);
  const size = sizeOf(hunks);
  const parts = [`+${size.added} -${size.removed} lines`];
  if (news.length > 0) parts.push(`added ${listed(news, room * 0.4)}`);
  if (gone.length > 0) parts.push(`removed ${listed(gone, room * (news.length > 0 ? 0.25 : 0.5))}`);
  if (added.length === removed.length && added.length <= 3) {
    parts.push(replaced(removed[0] ?? '', added[0] ?? '', room * 0.5));
  } else if (remark !== null) parts.push(`“${oneLine(remark, room * 0.45)}”`);
  else if (news.length + gone.length === 0)
    parts.push(quoted((added[0] ?? removed[0] ?? '').trim(), room * 0.5));
  return parts.join('; ');
}

/** Before and after of one line, around what differs in it. */
function replaced(before: string, after: string, room: number): string {
  const half = Math.floor((room - 10) / 2);
  const old = before.trim();
  const now = after.trim();
  let same = 0;
  if (old.length > half || now.length > half) {
    while (same < old.length && same < now.length && old[same] === now[same]) same += 1;
    same = same > 24 ? Math.max(0, old.lastIndexOf(' ', same - 16)) : 0;
  }
  const lead = same > 0 ? '…' : '';
  return `${quoted(lead + old.slice(same), half)} -> ${quoted(lead + now.slice(same), half)}`;
}

/** Words that are new in `lines`: declared names first, then identifiers. */
function novelties(lines: readonly string[], around: readonly string[], dialect: Dialect): string[] {
  const known = new Set(wordsOf(around.join('\n')));
  const names: string[] = [];
  for (const line of lines) {
    const name = declared(line, dialect);
    if (name !== null && !known.has(name)) names.push(name);
  }
  if (names.length >= 4) return [...new Set(names)];
  const code = lines.filter((line) => comment(line) === null || dialect !== 'code').join('\n');
  const identifiers = wordsOf(code).filter((found) => !known.has(found) && isName(found));
  return [...new Set([...names, ...identifiers])];
}

/** Whether its form marks it as a name: `camelCase`, `snake_case`, `a.b`, `--flag`. Plain words may be anything. */
function isName(found: string): boolean {
  return informative(found) && found.length >= 4 && found.length <= 60 && nameForm.test(found);
}

const nameForm = /\p{L}{2}.*(?:\p{Ll}\p{Lu}|[\p{L}\p{N}][._]\p{L}|\p{Lu}{2})|^--\p{L}/u;

/** The first quoted text that reads like a sentence: a message that people see and search for. */
function literal(lines: readonly string[]): string | null {
  for (const line of lines) {
    const found = /"([^"\\]{12,200})"|'([^'\\]{12,200})'|`([^`]{12,200})`/.exec(line);
    const said = found?.[1] ?? found?.[2] ?? found?.[3];
    if (said !== undefined && /\p{L}{3} \p{L}/u.test(said)) return said;
  }
  return null;
}

/** Names first, then added, removed and surrounding lines. */
function changeTerms(changes: readonly FileChange[]): string[] {
  const paths = changes.map((change) => change.path).join(' ');
  const hunks = changes.flatMap((change) => change.hunks);
  const added = hunks.flatMap((hunk) => hunk.added);
  const removed = hunks.flatMap((hunk) => hunk.removed);
  const dialect = dialectOf(changes[0]?.path ?? '');
  const names = [...outline(added, dialect), ...outline(removed, dialect)];
  const around = hunks.flatMap((hunk) => hunk.context);
  const known = new Set(wordsOf([...removed, ...around].join('\n')));
  const news = wordsOf(added.join('\n')).filter((found) => !known.has(found));
  return [
    paths,
    names.join(' '),
    news.join(' '),
    added.join('\n'),
    removed.join('\n'),
    outline(around, dialect).join(' '),
    around.join('\n'),
  ];
}
