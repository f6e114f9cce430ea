import { isObject, own } from '#core/event';
import { argument, type Call, objectsAt, once, patchText, pathArguments, textAt } from '#reading/call';
import { diffTexts, type Hunk, signedHunk } from './diff.ts';
import { type FileDiff, shownChanges } from './shown.ts';

export interface FileChange {
  readonly path: string;
  readonly kind: 'edited' | 'created' | 'overwrote' | 'deleted' | 'moved';
  readonly hunks: readonly Hunk[];
  /** The new path of a moved file. */
  readonly to?: string;
}

/** The changes that an editing call asked for. Empty when it states none. */
export const changesIn = once((call: Call): readonly FileChange[] => {
  const patch = patchText(call);
  if (patch !== '') return patchChanges(patch);
  const path = argument(call, ...pathArguments);
  const pairs = replacements(call);
  if (pairs.length > 0) {
    const hunks = pairs.map(([before, after]) => diffTexts(before, after));
    return [{ path, kind: 'edited', hunks: [...hunks.map((hunk) => located(hunk, call))] }];
  }
  const content = argument(call, ...contentArguments);
  if (content === '') return path === '' ? [] : [{ path, kind: 'edited', hunks: [] }];
  const kind = writeKind(call);
  const recorded = kind === 'overwrote' ? recordedHunks(call) : [];
  return [{ path, kind, hunks: recorded.length > 0 ? recorded : [diffTexts('', content)] }];
});

const contentArguments = 'content new_source file_text contents text insert_text code_edit'.split(' ');

function replacements(call: Call): readonly (readonly [string, string])[] {
  const edits = objectsAt(call.input, 'edits', 'replacements');
  const from = edits.length > 0 ? edits : [call.input];
  const pairs: (readonly [string, string])[] = [];
  for (const edit of from) {
    const before = textAt(edit, 'old_string', 'oldString', 'old_str', 'oldText', 'old_text');
    const after = textAt(edit, 'new_string', 'newString', 'new_str', 'newText', 'new_text');
    if (before !== '' || after !== '') pairs.push([before, after]);
  }
  return pairs;
}

function writeKind(call: Call): FileChange['kind'] {
  if (argument(call, 'new_source') !== '' || argument(call, 'insert_text', 'code_edit') !== '')
    return 'edited';
  const output = call.output;
  if (isObject(output)) {
    if (own(output, 'type') === 'create') return 'created';
    if (own(output, 'type') === 'update') return 'overwrote';
    const metadata = own(output, 'metadata');
    if (isObject(metadata) && typeof own(metadata, 'exists') === 'boolean') {
      return own(metadata, 'exists') === true ? 'overwrote' : 'created';
    }
  }
  return /\b(?:has been updated|overwrote|overwritten)\b/.test(call.result.text.slice(0, 400))
    ? 'overwrote'
    : 'created';
}

/** The same, by the client's record of whole lines where it has one. */
export function wholeChangesIn(call: Call): readonly FileChange[] {
  const changes = changesIn(call);
  const hunks = changes.length === 1 ? recordedHunks(call) : [];
  return hunks.length === 0 ? changes : changes.map((change) => ({ ...change, hunks }));
}

/** The client's record of the change. It has the lines around the change. */
function recordedHunks(call: Call): readonly Hunk[] {
  if (!isObject(call.output)) return [];
  const hunks: Hunk[] = [];
  for (const item of objectsAt(call.output, 'structuredPatch')) {
    const lines = own(item, 'lines');
    if (Array.isArray(lines)) hunks.push(signedHunk(lines.filter((line) => typeof line === 'string')));
  }
  const display = own(call.output, 'returnDisplay');
  const diff = isObject(display) ? textAt(display, 'fileDiff') : '';
  if (hunks.length === 0 && diff !== '') hunks.push(...patchChanges(diff).flatMap((change) => change.hunks));
  return hunks;
}

/** The hunk with the lines around it that the client recorded. */
function located(hunk: Hunk, call: Call): Hunk {
  const recorded = recordedHunks(call)[0];
  if (recorded === undefined) return hunk;
  return {
    ...hunk,
    leading: [...recorded.leading, ...hunk.leading],
    context: [...recorded.context, ...hunk.context],
  };
}

/** The changes in an apply_patch text or a unified diff. */
export function patchChanges(patch: string): readonly FileChange[] {
  const changes: { path: string; kind: FileChange['kind']; hunks: Hunk[]; to?: string }[] = [];
  let lines: string[] = [];
  // What `@@` names stands somewhere above the lines.
  let above: string[] = [];
  const flush = (): void => {
    const signed = lines;
    if (signed.length === 0) return;
    changes.at(-1)?.hunks.push({ ...signedHunk([...above, ...signed]), signed: () => signed });
    [lines, above] = [[], []];
  };
  for (const line of patch.split('\n')) {
    const file = /^\*\*\* (Add|Update|Delete) File: (.+)/.exec(line);
    const target = /^\+\+\+ (?:b\/)?([^\t]+)/.exec(line);
    const move = /^\*\*\* Move to: (.+)/.exec(line)?.[1];
    const last = changes.at(-1);
    if (file !== null) {
      flush();
      changes.push({ path: (file[2] ?? '').trim(), kind: patchKinds[file[1] ?? ''] ?? 'edited', hunks: [] });
    } else if (target !== null && !patch.startsWith('***')) {
      flush();
      changes.push({ path: (target[1] ?? '').trim(), kind: 'edited', hunks: [] });
    } else if (move !== undefined && last !== undefined) {
      Object.assign(last, { kind: 'moved', to: move.trim() });
    } else if (line.startsWith('@@')) {
      flush();
      const place = line.replace(/^@@(?: -[\d,]+ \+[\d,]+ @@)?\s*/, '');
      if (place !== '') above.push(` ${place}`);
    } else if (/^[+\- ]/.test(line) && !line.startsWith('--- ') && last !== undefined) {
      lines.push(line);
    } else if (line.startsWith('diff --git ')) {
      flush();
    }
  }
  flush();
  return changes;
}

const patchKinds: Readonly<Record<string, FileChange['kind']>> = {
  Add: 'created',
  Update: 'edited',
  Delete: 'deleted',
};

/** The same as lines to read, file by file. */
export function changesToShow(call: Call): FileDiff[] {
  const patch = patchText(call);
  return shownChanges(patch === '' ? call.input : { ...call.input, patch }, call.output);
}
