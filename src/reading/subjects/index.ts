/**
 * What a call is about: files, symbols, checks, commands, pages, queries and decisions, each with its outcome.
 * Returns at most `subjectsMax`, each once, the most important first.
 */
export { answersIn, questionsIn } from './answers.ts';
export { commandSubjects } from './command-subjects.ts';
export { editSubjects } from './edit-subjects.ts';
export { pathsOf } from './read-paths.ts';
export type { Subject } from './subject.ts';
export { planShown, subjectKey, subjectsOf } from './subjects.ts';
