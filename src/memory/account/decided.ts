import { digestNamesMax } from '#core/limits';
import { type Call, refusalReason } from '#reading/call';
import { answersIn, questionsIn, type Subject } from '#reading/subjects';
import { directs, onlyAsks } from '#reading/talk';
import { oneLine } from '#reading/text';
import type { Decision, Goal } from './account.ts';
import type { Place } from './turn.ts';

const questionCharsMax = 500;
const answerCharsMax = 200;

/** What a person decided in a session by an answer, by a refusal or by a plan that was accepted. */
export class Decided {
  readonly #made: Decision[] = [];

  refused(call: Call, { seq }: Place): void {
    const text = oneLine(refusalReason(call.result), 200);
    if (text !== '' && !clarifies.test(text) && directs(text) && !onlyAsks(text))
      this.#add({ seq, text, by: 'refusal', question: '' });
  }

  /** Gives each question with its answer. */
  answered(call: Call, { seq }: Place): string[] {
    if (call.result.failed) return [];
    return answersIn(call).flatMap(({ question, answer }) => {
      const text = oneLine(answer, answerCharsMax);
      if (text === '') return [];
      this.#add({ seq, question: oneLine(question, questionCharsMax), text, by: 'answer' });
      return [`${question} ${text}`];
    });
  }

  accepted(subjects: readonly Subject[], { seq }: Place): void {
    for (const { kind, name } of subjects)
      if (kind === 'decision') this.#add({ seq, text: withoutLead(name), by: 'accepted', question: '' });
  }

  /** With what was decided in messages: what the goal says is not said again. */
  withSaid(said: readonly Decision[], goal: Goal | null): Decision[] {
    const isInGoal = ({ text }: Decision) => goal?.text.includes(text.replace(/[.!]$/, ''));
    const others = said.filter((one) => one.by !== 'words' || !isInGoal(one));
    return [...this.#made, ...others].sort((one, other) => one.seq - other.seq);
  }

  #add(decision: Decision): void {
    if (this.#made.length < digestNamesMax && this.#made.at(-1)?.text !== decision.text)
      this.#made.push(decision);
  }
}

/** A plan without the word for it. */
export function withoutLead(plan: string): string {
  return plan.replace(/^Plan\s*[:\u2013\u2014-]\s*/i, '');
}

/** The questions of a call, each with what it offers. */
export function asked(call: Call): string {
  return questionsIn(call)
    .map(({ question, offered }) => (offered.length === 0 ? question : `${question} (${offered.join('; ')})`))
    .join(' ');
}

/** The client's words for a question that was answered by another message. */
const clarifies = /^The user wants to clarify these questions\b/;
