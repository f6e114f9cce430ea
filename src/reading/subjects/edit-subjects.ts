import { type Call, once } from '#reading/call';
import { changesIn, enclosing, type FileChange, outline } from '#reading/edits';
import { dialectOf, plainPath } from '#reading/text';
import type { Subject } from './subject.ts';

/** The files of an editing call, then the symbols in them. */
export const editSubjects = once((call: Call): readonly Subject[] => {
  const changes = changesIn(call);
  const files = changes.flatMap((change) => fileSubjects(change, call));
  if (call.result.failed) return files.map((subject) => ({ ...subject, outcome: 'failed' }));
  if (call.result.running) return files.map((subject) => ({ ...subject, outcome: 'none' }));
  return [...files, ...changes.flatMap((change) => symbolSubjects(change, plainPath(change.path, call.cwd)))];
});

function fileSubjects({ path, kind, to }: FileChange, call: Call): readonly Subject[] {
  const name = plainPath(path, call.cwd);
  const outcomes = {
    edited: 'changed',
    created: 'created',
    overwrote: 'changed',
    deleted: 'removed',
    moved: 'removed',
  } as const;
  const file: Subject = { kind: 'file', name, outcome: outcomes[kind] };
  return to === undefined
    ? [file]
    : [file, { kind: 'file', name: plainPath(to, call.cwd), outcome: 'created' }];
}

function symbolSubjects({ path, kind, hunks }: FileChange, file: string): readonly Subject[] {
  if (kind === 'deleted') return [];
  const dialect = dialectOf(path);
  const declaredIn = (side: 'added' | 'removed'): readonly string[] => {
    const lines = hunks.flatMap((hunk) => hunk[side]);
    return outline(lines, dialect);
  };
  const added = declaredIn('added');
  const removed = declaredIn('removed');
  // Lines alone do not show which settings a setting belongs to.
  const around = dialect === 'data' ? [] : hunks.flatMap((hunk) => enclosing(hunk, dialect) ?? []);
  const of = (names: readonly string[], outcome: Subject['outcome']): Subject[] =>
    names.map((name) => ({ kind: 'symbol', name: `${file}#${name}`, outcome }));
  const both = added.filter((name) => removed.includes(name));
  const gone = removed.filter((name) => !added.includes(name));
  const made = added.filter((name) => !removed.includes(name));
  return [...of([...around, ...both], 'changed'), ...of(gone, 'removed'), ...of(made, 'created')];
}
