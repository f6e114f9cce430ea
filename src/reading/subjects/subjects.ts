import { hash } from 'node:crypto';
import { subjectsMax } from '#core/limits';
import { argument, type Call, familyOf, once } from '#reading/call';
import { oneLine, plainLines, plainPath } from '#reading/text';
import { answersIn } from './answers.ts';
import { commandSubjects } from './command-subjects.ts';
import { editSubjects } from './edit-subjects.ts';
import { pathsOf } from './read-paths.ts';
import type { Subject } from './subject.ts';

export const subjectNameCharsMax = 200;

/** The subjects of a call, at most `subjectsMax`, each kind and name once, the most important first. */
export const subjectsOf = once((call: Call): readonly Subject[] => {
  const found = new Map<string, Subject>();
  for (const { kind, name, outcome } of subjectsIn(call)) {
    const subject = { kind, name: oneLine(name, subjectNameCharsMax), outcome };
    const id = `${kind} ${subject.name}`;
    if (subject.name !== '' && !found.has(id)) found.set(id, subject);
    if (found.size === subjectsMax) break;
  }
  return [...found.values()];
});

/**
 * The key of a subject in the table `subjects`: the first 52 bits of the SHA-256 of kind and name, which a double
 * holds exactly. Two of a million subjects share one with a chance of 1 in 10,000 (birthday bound, n^2 / 2^53).
 */
export function subjectKey({ kind, name }: Pick<Subject, 'kind' | 'name'>): number {
  return Number.parseInt(hash('sha256', `${kind}\0${name}`, 'hex').slice(0, 13), 16);
}

function subjectsIn(call: Call): readonly Subject[] {
  if (call.result.refused || call.result.cancelled) return [];
  switch (familyOf(call)) {
    case 'command':
      return commandSubjects(call);
    case 'edit':
      return editSubjects(call);
    case 'read':
      return readSubjects(call);
    case 'search':
      return only('query', argument(call, 'pattern', 'query', 'regex', 'search', 'symbol', 'q', 'input'));
    case 'question':
      return questionSubjects(call);
    case 'plan':
      return planSubjects(call);
    case 'web':
      return pageSubjects(call);
    case 'agent':
      return [];
    case 'other':
      return pageSubjects(call);
  }
}

function only(kind: Subject['kind'], name: string): readonly Subject[] {
  return [{ kind, name, outcome: 'none' }];
}

function readSubjects(call: Call): readonly Subject[] {
  const outcome = call.result.failed ? 'failed' : 'read';
  return pathsOf(call)
    .slice(0, subjectsMax)
    .map((path) => ({ kind: 'file', name: plainPath(path, call.cwd), outcome }));
}

function pageSubjects(call: Call): readonly Subject[] {
  const said = argument(call, 'url', 'uri', 'urls', 'prompt', 'input');
  const url = /https?:\/\/[^\s"'<>]+/.exec(said.slice(0, 4_000))?.[0];
  if (url === undefined) return [];
  return [
    { kind: 'page', name: url.replace(/#.*$|[),.;]+$/, ''), outcome: call.result.failed ? 'failed' : 'read' },
  ];
}

function questionSubjects(call: Call): readonly Subject[] {
  if (call.result.failed) return [];
  return answersIn(call).flatMap(({ question, answer }) => [
    ...only('decision', question),
    ...(answer === '' ? [] : only('decision', `${oneLine(question, subjectNameCharsMax / 2)} -> ${answer}`)),
  ]);
}

/** A plan that the user accepted. */
function planSubjects(call: Call): readonly Subject[] {
  const title = planShown(call);
  return call.result.failed || title === null ? [] : only('decision', title);
}

/** The title of a plan that a call shows to the user; null for any other call. */
export function planShown(call: Call): string | null {
  if (!/^exit_?plan_?mode$/i.test(call.tool)) return null;
  const [title = ''] = plainLines(argument(call, 'plan').slice(0, 2_000));
  return title.replace(/^#+\s*/, '');
}
