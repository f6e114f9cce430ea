import { argument, type Call } from '#reading/call';
import { isDone, isUnderWay, planStepsIn, type Task, taskOf } from '#reading/plan';
import { listed, oneLine, plainLines } from '#reading/text';
import { type Account, failedAccount } from './account.ts';

/** The steps in progress, done and left. */
export function planAccount(call: Call): Account {
  const items = planStepsIn(call);
  const plan = argument(call, 'plan', 'explanation', 'subject', 'description', 'taskId', 'todos');
  const terms = [items.map((item) => item.name).join('\n'), plan.slice(0, 4_000)];
  if (call.result.failed) {
    const title = items[0]?.name ?? headed(plainLines(plan.slice(0, 400)))[0] ?? call.tool;
    return failedAccount(call, `plan “${oneLine(title, 120)}”`, 250, terms);
  }
  const task = taskOf(call);
  // Earlier calls give its name.
  if (task !== null && plan === task.id) return { text: taskText(task), terms };
  if (items.length === 0) return planText(call, plan, terms);
  const of = (wanted: RegExp): string[] =>
    items.filter(({ name, status }) => name !== '' && wanted.test(status)).map(({ name }) => name);
  const done = of(isDone);
  const parts = [
    part('in progress', of(isUnderWay), 140),
    part('done', done.slice(-4), 140),
    part('next', of(/^(?:pending|todo|not_started|)$/), 120),
  ].filter((text) => text !== '');
  return { text: `Plan (${done.length} of ${items.length} done): ${parts.join('; ')}`, terms };
}

/** `Task 4 in progress`. */
function taskText({ id, name, status }: Task): string {
  const said = status === '' ? 'changed' : status.replace('_', ' ');
  return `Task ${id} ${said}${name === '' ? '' : `: “${name}”`}`;
}

function part(label: string, names: readonly string[], max: number): string {
  return names.length === 0 ? '' : `${label}: ${listed(names, max)}`;
}

/** Without the heading that only says that it is a plan. */
function headed(lines: readonly string[]): string[] {
  return lines
    .map((line) => line.replace(/^#+\s*(?:Plan:\s*)?/, ''))
    .filter((line) => line !== '' && line !== 'Plan');
}

function planText(call: Call, plan: string, terms: readonly string[]): Account {
  const lines = headed(plainLines(plan.slice(0, 6_000)));
  const result = oneLine(call.result.text, 160);
  const said = lines.length === 0 ? call.tool : `Plan: ${oneLine(lines.slice(0, 3).join(' '), 220)}`;
  return {
    text: result === '' ? said : `${said} (${result})`,
    terms: [...terms, call.result.text.slice(0, 1_000)],
  };
}
