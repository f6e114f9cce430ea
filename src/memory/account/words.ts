import { clip, oneLine, sentencesOf } from '#reading/text';
import type { Decision, Outcome, SessionAccount } from './account.ts';

/** The goal with the title of its plan. */
export function goalWords({ goal }: SessionAccount): string {
  if (goal === null || goal.title === '') return goal?.text ?? '';
  return goal.text === '' ? goal.title : `${goal.title} (plan): ${goal.text}`;
}

/** What came of it. */
export function outcomeWords(outcome: Outcome | null): string {
  if (outcome === null) return '';
  const { main, text, isEarlier } = outcome;
  const words = main === null ? text : `${main.text.replace(/[.]$/, '')}; then: ${text}`;
  return isEarlier ? `Before the last request: ${words}` : words;
}

/** A decision in words; a refusal is given by its reason. */
export function decisionWords({ by, text, question }: Decision): string {
  if (by === 'answer') return `${quoted(asking(question), answerCharsMax)} → ${quoted(text, answerCharsMax)}`;
  if (by === 'accepted') return `plan ${quoted(text, 100)}`;
  return by === 'refusal' ? `on refusing: ${quoted(text, 110)}` : `“${text}”`;
}

const answerCharsMax = 90;

/** Of a long question the sentence that asks, with the one before it where it is too short to say what about. */
function asking(question: string): string {
  if (question.length <= answerCharsMax) return question;
  const sentences = sentencesOf(question).map((one) => one.trim());
  const at = sentences.findLastIndex((one) => one.endsWith('?'));
  const [asks = question, before] = [sentences[at], sentences[at - 1]];
  if (before === undefined || asks.length > bareCharsMax) return asks;
  return `${clip(before, answerCharsMax - asks.length - 1)} ${asks}`;
}

/** `How should we proceed?`, `Should we add a fallback?` */
const bareCharsMax = 40;

export function quoted(text: string, max: number): string {
  return `“${oneLine(text, max)}”`;
}

/** A command between backticks; its own become single quotes. */
export function command(text: string, max: number): string {
  return `\`${oneLine(text.replaceAll('`', "'"), max)}\``;
}
