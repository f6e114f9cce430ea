import type { Call } from '#reading/call';
import {
  emptiesPlan,
  Plan,
  type PlanState,
  planStepsIn,
  stateOf,
  taskOf,
  tasksListed,
  withChecksRun,
} from '#reading/plan';
import type { PlanLeft } from './account.ts';
import type { Place } from './turn.ts';

/** What happened after the last state of a plan. */
export interface Since {
  readonly replies: readonly string[];
  readonly commits: readonly string[];
  readonly isPushed: boolean;
  /** Another request was worked on. */
  readonly goesOn: boolean;
  /** All checks passed after the last edit. */
  readonly checksPass: boolean;
}

/** The plan of a session: the last one, as a list or task by task. */
export class Steps {
  readonly #tasks = new Plan();
  #state: PlanState | null = null;
  /** Of its last state. */
  place: Place | null = null;

  take(call: Call, place: Place): void {
    if (call.result.failed) return;
    if (emptiesPlan(call) && this.#state?.next !== '') this.#state = null;
    const list = planStepsIn(call);
    const task = taskOf(call);
    const tasks = [...(task === null ? [] : [task]), ...tasksListed(call)];
    for (const one of tasks) this.#tasks.take(one);
    const state = tasks.length > 0 ? this.#tasks.state() : list.length > 0 ? stateOf(list) : null;
    if (state === null) return;
    this.#state = state;
    this.place = place;
  }

  /** Clients seldom tick the last steps off: what came later closes them, and in doubt none is open. */
  left({ replies, commits, isPushed, goesOn, checksPass }: Since): PlanLeft | null {
    if (this.#state === null || this.place === null || this.#state.of === 0) return null;
    const { done, of, open } = checksPass ? withChecksRun(this.#state) : this.#state;
    const { seq } = this.place;
    const last = replies.at(-1) ?? '';
    if (open.length === 0 || replies.some(saysAllDone)) return { seq, done: of, of, open: [] };
    const named = (step: string): boolean => last.toLowerCase().includes(step.toLowerCase());
    const isClosed = (step: string): boolean =>
      commits.some((subject) => isAbout(subject, step)) ||
      (commits.length > 0 && /^(?:git )?commit\b/i.test(step)) ||
      (isPushed && /^(?:git )?push\b/i.test(step));
    const left = open.filter((step) => !isClosed(step));
    const isDoubtful = (goesOn || isPushed || commits.length > 0) && !left.some(named);
    return { seq, done: done + open.length - left.length, of, open: isDoubtful ? [] : left };
  }
}

const things =
  '(?:steps?|tasks?|items?|to-?dos?|phases?|parts?|stories|points?|tickets?|acceptance criteria)';
const ended = '(?:complete[d]?|done|finished|implemented|closed|resolved)';
const allDone = new RegExp(
  [
    `\\b(?:all|both|every)\\b[^.!?\\n]{0,40}\\b${things}\\b[^.!?\\n]{0,40}\\b${ended}\\b`,
    `\\b(?:all|everything)\\b[^.!?\\n]{0,20}\\b(?:is|are|has been|have been)\\b[^.!?\\n]{0,10}\\b${ended}\\b`,
    `\\b(\\d{1,3}) ?(?:of|\\/|out of) ?\\1\\b[^.!?\\n]{0,20}\\b(?:${things}|${ended})\\b`,
    `\\b(?:plan|list|ticket|playbook)\\b[^.!?\\n]{0,20}\\b(?:is|are|has been)\\b[^.!?\\n]{0,16}\\b${ended}\\b`,
    '\\b(?:implementation|work|feature) (?:is )?(?:now )?complete\\b|^all done\\b',
    '\\bnothing (?:is|remains|else is) (?:left|open|to (?:be )?do(?:ne)?)\\b|\\bno (?:open |remaining )+(?:steps|tasks|work|items)\\b',
  ].join('|'),
  'i',
);

/** `All steps are complete`, `29 of 29 tasks`; not `all but the last step are done`. */
function saysAllDone(reply: string): boolean {
  const found = allDone.exec(reply)?.[0];
  return found !== undefined && !/\b(?:but|except|not|until|once|when|if|before|unless)\b/i.test(found);
}

/** Whether most words of a step are in a subject. */
export function isAbout(subject: string, step: string): boolean {
  const said = wordsIn(subject);
  const wanted = wordsIn(step);
  const both = wanted.filter((word) => said.includes(word)).length;
  return wanted.length >= 2 && both / wanted.length >= 0.6;
}

function wordsIn(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const telling = words.filter((word) => !/^(?:the|and|for|with|from|into|that|this|all)$/.test(word));
  return [...new Set(telling.map((word) => word.replace(/(?:ing|ed|es|s)$/, '')))];
}
