import type { Call } from '../../calls/call/index.ts';
import { isObject, type Json, own } from '../../core/event/index.ts';
import { digest } from './lines.ts';

/** What a call said of a part of its session's plan. */
export interface PlanStep {
  /** The task's own id, or `list` for a list that was written whole. */
  readonly id: string;
  /** Digests of the names of all steps, or of the names of the fields that were set. */
  readonly says: readonly number[];
  /** For people: `2 of 5 done`, `completed`. */
  readonly state: string;
}

/** Steps of a plan that a call wrote: a whole list (`TodoWrite`, `update_plan`) or one task (`TaskUpdate`). */
export function planOf(call: Call): PlanStep[] {
  if (call.result.failed) return [];
  const task = own(call.input, 'taskId') ?? own(call.input, 'task_id');
  if (/^task_?update$/i.test(call.tool) && (typeof task === 'string' || typeof task === 'number')) {
    const fields = Object.keys(call.input).filter((name) => !/^task_?id$/i.test(name));
    const state = own(call.input, 'status');
    return [
      { id: `task ${task}`, says: fields.map(digest), state: typeof state === 'string' ? state : 'changed' },
    ];
  }
  const list = ['todos', 'plan', 'items', 'todoList']
    .map((name) => own(call.input, name))
    .find(Array.isArray);
  if (list === undefined) return [];
  const steps = list.filter((item: Json) => isObject(item));
  const names = steps.map((step) => first(step, 'content', 'step', 'title', 'text', 'description'));
  const done = steps.filter((step) => /^(?:completed|done)/.test(first(step, 'status', 'state')));
  return [{ id: 'list', says: names.map(digest), state: `${done.length} of ${steps.length} done` }];
}

function first(step: Json, ...names: string[]): string {
  if (!isObject(step)) return '';
  const found = names.map((name) => own(step, name)).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : '';
}
