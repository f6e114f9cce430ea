import { isObject, type Json, type JsonObject } from '../../core/event/json.ts';
import { type DiffLine, lineDiff, patchLines, signedLine } from './line-diff.ts';

/** One file of an editing call as lines to read, with the counts of those lines. */
export interface FileDiff {
  readonly path: string;
  readonly lines: readonly DiffLine[];
  readonly added: number;
  readonly removed: number;
}

/**
 * What an editing call changed, file by file. The page and the list of a session's files both show these lines and counts. Empty when the
 * call states no change.
 */
export function shownChanges(input: JsonObject, output: Json): FileDiff[] {
  const path = text(input, 'file_path', 'path', 'filePath', 'notebook_path');
  const patch = patchIn(input);
  if (patch !== '') return inFiles(path, patchLines(patch));
  const hunks = hunksOf(output);
  if (hunks.length > 0) return [fileDiff(path, hunks)];
  const edits = Array.isArray(input.edits) ? input.edits.filter(isObject) : [input];
  const lines = edits.flatMap((edit, at) => [
    ...(at === 0 ? [] : [{ kind: 'gap', text: `edit ${at + 1}` } as const]),
    ...lineDiff(
      text(edit, 'old_string', 'oldString', 'old_str'),
      text(edit, 'new_string', 'newString', 'new_str', 'content', 'file_text', 'new_source', 'insert_text'),
    ),
  ]);
  return lines.length === 0 ? [] : [fileDiff(path, lines)];
}

export function fileDiff(path: string, lines: readonly DiffLine[]): FileDiff {
  const count = (kind: DiffLine['kind']): number => lines.filter((line) => line.kind === kind).length;
  return { path, lines, added: count('added'), removed: count('removed') };
}

/** A patch as an argument, or within a command such as `["apply_patch", "*** Begin Patch..."]`. */
function patchIn(input: JsonObject): string {
  const patch = text(input, 'patch', 'input', 'diff', 'patchText');
  if (patch !== '' && /^(\*\*\*|@@|---|\+\+\+|diff )/m.test(patch)) return patch;
  const list = Array.isArray(input.command) ? input.command : [];
  return list.find((part) => typeof part === 'string' && part.includes('*** Begin Patch'))?.toString() ?? '';
}

const fileLine = /^(?:\*\*\* (?:Update|Add|Delete) File: |\+\+\+ (?:b\/)?)(.+)$/;

/** The lines of a patch under the file that the line above them names. */
function inFiles(path: string, lines: readonly DiffLine[]): FileDiff[] {
  const files: { path: string; lines: DiffLine[] }[] = [];
  for (const line of lines) {
    const named = line.kind === 'gap' ? fileLine.exec(line.text)?.[1]?.trim() : undefined;
    if (named !== undefined && named !== '/dev/null') files.push({ path: named, lines: [] });
    else if (files.length === 0) files.push({ path, lines: [line] });
    else if (!/^(?:\*\*\* (?:Begin|End) Patch|--- |diff |index )/.test(line.text))
      files.at(-1)?.lines.push(line);
  }
  return files
    .filter((file) => file.path !== '' || file.lines.some(({ kind }) => kind !== 'gap'))
    .map((file) => fileDiff(path === '' || files.length > 1 ? file.path : path, file.lines));
}

/** The hunks that an assistant gives with its answer: they have the lines around. */
function hunksOf(output: Json): DiffLine[] {
  const given = isObject(output) && Array.isArray(output.structuredPatch) ? output.structuredPatch : [];
  return given.filter(isObject).flatMap((hunk): DiffLine[] => {
    const lines = Array.isArray(hunk.lines) ? hunk.lines.filter((line) => typeof line === 'string') : [];
    const place: DiffLine = {
      kind: 'gap',
      text: `@@ -${number(hunk.oldStart)},${number(hunk.oldLines)} +${number(hunk.newStart)},${number(hunk.newLines)} @@`,
    };
    return lines.length === 0 ? [] : [place, ...lines.map(signedLine)];
  });
}

function text(object: JsonObject, ...names: string[]): string {
  for (const name of names) {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
