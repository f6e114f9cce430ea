import type { Call } from '../../calls/call/index.ts';
import { planStepsIn, stateOf, taskOf } from '../../calls/plan/index.ts';
import { digest } from './lines.ts';

/** What a call wrote of its session's plan. */
export interface PlanStep {
  /** The task's own id, or `list` for a list that was written whole. */
  readonly id: string;
  /** Digests of the names of all steps, or of the names of the fields that were set. */
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
