import type { Call } from '#reading/call';
import { planStepsIn, stateOf, taskOf } from '#reading/plan';
import { digest } from './lines.ts';

/** A part of a plan that a call wrote. */
export interface PlanStep {
  /** The id of the task, or `list` for a whole list. */
  readonly id: string;
  /** Digests of the names of all steps, or of the fields that the call set. */
  readonly says: readonly number[];
  /** For people: `2 of 5 done`, `completed`. */
  readonly state: string;
}

/** A whole list (`TodoWrite`, `update_plan`) or one task (`TaskUpdate`). */
export function planOf(call: Call): PlanStep[] {
  if (call.result.failed) return [];
  const task = taskOf(call);
  if (task?.isUpdate) {
    const fields = Object.keys(call.input).filter((name) => !/^task_?id$/i.test(name));
    return [{ id: `task ${task.id}`, says: fields.map(digest), state: task.status || 'changed' }];
  }
  const steps = planStepsIn(call);
  if (steps.length === 0) return [];
  const { done, of } = stateOf(steps);
  return [{ id: 'list', says: steps.map(({ name }) => digest(name)), state: `${done} of ${of} done` }];
}
