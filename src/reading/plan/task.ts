import { isObject, type Json, own } from '#core/event';
import { argument, type Call, objectsAt, textAt } from '#reading/call';
import { oneLine } from '#reading/text';

/** A task of a plan that the client keeps task by task (`TaskCreate`, `TaskUpdate`). */
export interface Task {
  readonly id: string;
  /** Empty when the call does not name it: only the first call does. */
  readonly name: string;
  /** `pending`, `in_progress`, `completed` or `deleted`; empty when the call does not change it. */
  readonly status: string;
  readonly isUpdate: boolean;
}

/** The task that a call made or changed, or null. */
export function taskOf(call: Call): Task | null {
  if (call.result.failed) return null;
  const name = oneLine(textAt(call.input, 'subject', 'title'), taskNameChars);
  if (/^task_?create$/i.test(call.tool)) {
    const id = madeId(call.output, call.result.text);
    return id === '' ? null : { id, name, status: 'pending', isUpdate: false };
  }
  const id = argument(call, 'taskId', 'task_id');
  if (!/^task_?update$/i.test(call.tool) || id === '') return null;
  return taskIn(id, name, textAt(call.input, 'status'));
}

const taskNameChars = 100;

/** The tasks that a list of all of them shows: teammates may have done some. */
export function tasksListed(call: Call): readonly Task[] {
  if (call.result.failed || !/^task_?list$/i.test(call.tool)) return [];
  const listed = isObject(call.output) ? objectsAt(call.output, 'tasks') : [];
  if (listed.length > 0)
    return listed.map((task) =>
      taskIn(textAt(task, 'id'), textAt(task, 'subject', 'title'), textAt(task, 'status')),
    );
  return [...call.result.text.matchAll(/^#(\S{1,40}) \[([\w -]{1,20})\] (.+?)(?: \([^()]*\))?$/gm)].map(
    ([, id = '', status = '', name = '']) => taskIn(id, name, status),
  );
}

function taskIn(id: string, name: string, status: string): Task {
  const plain = status.toLowerCase().replace(/[- ]/, '_');
  return { id, name: oneLine(name, taskNameChars), status: plain, isUpdate: true };
}

/** From an object, or from `Task #4 created successfully: ...`. */
function madeId(output: Json, text: string): string {
  const task = isObject(output) ? own(output, 'task') : undefined;
  if (isObject(task)) return textAt(task, 'id');
  return /^Task #(\S{1,40}) created\b/.exec(text)?.[1] ?? '';
}

/** The tasks of a plan in order of creation, each in its last state. */
export class Plan {
  readonly #tasks = new Map<string, Task>();

  take(task: Task): void {
    const before = this.#tasks.get(task.id);
    const name = task.name || (before?.name ?? '');
    this.#tasks.set(task.id, { ...task, name, status: task.status || (before?.status ?? '') });
  }

  /** Null when a task is missing: ids count from 1, so a gap shows. */
  state(): PlanState | null {
    const ids = [...this.#tasks.keys()].map(Number);
    if (ids.length === 0 || ids.some(Number.isNaN) || Math.max(...ids) > ids.length) return null;
    return stateOf([...this.#tasks.values()].filter(({ status }) => !withdrawn.test(status)));
  }
}

export interface PlanState {
  readonly done: number;
  readonly of: number;
  /** The step in progress, else the next one; empty when all are done. */
  readonly next: string;
  /** The steps that are not done, that in progress first. */
  readonly open: readonly string[];
}

export function stateOf(steps: readonly { readonly name: string; readonly status: string }[]): PlanState {
  const left = steps.filter(({ status }) => !isDone.test(status));
  const underWay = left.filter(({ status }) => isUnderWay.test(status));
  const open = [...underWay, ...left.filter((step) => !underWay.includes(step))].map(({ name }) => name);
  return { done: steps.length - left.length, of: steps.length, next: open[0] ?? '', open };
}

/**
 * The state with each open step done that only runs checks: clients seldom tick the last one. For a session whose checks pass at its end.
 */
export function withChecksRun(state: PlanState): PlanState {
  const open = state.open.filter((name) => !onlyChecks(name));
  return { done: state.of - open.length, of: state.of, next: open[0] ?? '', open };
}

/** `Run fmt, lint, and tests`: no word of it names other work. */
function onlyChecks(name: string): boolean {
  const words = name.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}:-]*/gu) ?? [];
  const isCheck = (word: string): boolean => checks.test(word);
  return (
    (running.test(words[0] ?? '') || isCheck(words[0] ?? '')) &&
    words.some(isCheck) &&
    words.every((word) => isCheck(word) || running.test(word) || around.test(word))
  );
}

const checks =
  /^(?:(?:unit-?|integration-?|e2e-?)?tests?|unit|integration|e2e|suites?|lint(?:er|ers|ing)?|fmt|format(?:ter|ting)?|builds?|type-?check(?:s|ing|er)?|types?|tsc|vet|ci|compil(?:e|es|ation)|checks?|verification|quality|test:[\w:-]+)$/;
const running = /^(?:re-?run|run|running|verify|ensure|execute|confirm|validate|check)$/;
const around =
  /^(?:all|the|and|or|then|full|whole|entire|complete|existing|project|code|final|everything|that|to|with|via|still|locally|again|for|pass(?:es|ing)?|succeeds?|clean|green|gates?|commands?|npm|npx|pnpm|yarn|bun|go|cargo|make|mise|just)$/;

export const isDone = /^(?:completed|done)/;
export const isUnderWay = /progress|active/;

const withdrawn = /^(?:cancel|deleted|dropped|skipped)/;
const listKeys = ['todos', 'plan', 'items', 'tasks', 'todoList'];

/** The steps of a plan that a call wrote as a whole, without those withdrawn. */
export function planStepsIn(call: Call): readonly { readonly name: string; readonly status: string }[] {
  return objectsAt(call.input, ...listKeys)
    .map((item) => ({
      name: oneLine(textAt(item, 'content', 'step', 'description', 'title', 'subject', 'text'), 120),
      status: textAt(item, 'status', 'state').toLowerCase().replace('-', '_'),
    }))
    .filter(({ status }) => !withdrawn.test(status));
}

/** It wrote a list of no steps: what was open is withdrawn. */
export function emptiesPlan(call: Call): boolean {
  return listKeys.some((key) => Array.isArray(own(call.input, key))) && planStepsIn(call).length === 0;
}
