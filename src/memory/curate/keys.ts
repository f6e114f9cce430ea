import { createHash } from 'node:crypto';
import { type Subject, subjectKey } from '#reading/subjects';
import { mayBeCandidate } from './candidates.ts';
import type { ComparedCall } from './compared-call.ts';

/**
 * The keys under which a summary is stored: its subjects, its call (tool and arguments), and its plan. `isTelling`: a rule may decide
 * summaries that share it; `isCandidate`: no rule decides such a pair, but it may be worth a question.
 */
export function keysOf(facts: ComparedCall) {
  const own = facts.subjects.map((subject) => ({
    key: subjectKey(subject),
    outcome: subject.outcome,
    isTelling: mayTell(facts, subject),
    isCandidate: mayBeCandidate(facts, subject),
  }));
  const telling = { isTelling: true, isCandidate: false };
  const call = { key: hashed(`call\0${facts.asked}`), outcome: facts.failed ? 'failed' : 'none', ...telling };
  const plans = facts.plan.map(({ id }) => {
    const key = hashed(`plan\0${facts.sessionId}\0${id}`);
    return { key, outcome: 'none', ...telling };
  });
  return [...own, call, ...plans];
}

/** No rule uses other shared subjects, such as a file that two calls read. */
function mayTell({ family }: ComparedCall, { kind, name, outcome }: Subject): boolean {
  if (kind === 'file') return family === 'edit' || outcome === 'removed' || outcome === 'created';
  return (kind === 'check' && !name.startsWith('test:')) || (kind === 'decision' && family === 'question');
}

function hashed(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 13), 16);
}
