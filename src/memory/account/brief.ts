import { workMsIn } from '#core/event';
import type { Brief, Check, SessionAccount } from './account.ts';
import { endingOf, openChecks, titleOf } from './ended.ts';
import { command, decisionWords, goalWords, outcomeWords } from './words.ts';

const filesMax = 40;

export function briefOf(account: SessionAccount): Brief {
  const { outcome, commits, plan, files, filesCount } = account;
  const steps = plan?.open ?? [];
  return {
    title: titleOf(account),
    second: outcomeWords(outcome) || (commits.length > 0 ? goalWords(account) : ''),
    ending: endingOf(account),
    workMs: workMsIn(account.worked),
    ...{ files: files.slice(0, filesMax).map(({ path }) => path), filesCount },
    failures: openChecks(account).map(failureWords),
    plan:
      plan === null || steps.length === 0 ? '' : `${plan.done} of ${plan.of} steps done, next: ${steps[0]}`,
  };
}

export function failureWords({ name, failed }: Pick<Check, 'name'> & { failed: { said: string } | null }) {
  return command(name, 80) + (failed?.said ? `: ${failed.said}` : '');
}

/** With what only an open session shows. */
export function wholeBriefOf(account: SessionAccount): Brief {
  return { ...briefOf(account), decided: account.decided.map(decisionWords) };
}
