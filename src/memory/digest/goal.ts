import { clip } from '../../calls/text/index.ts';
import { onlyAnswers, requestIn, wishIn } from '../talk/index.ts';

export interface Goal {
  /** The first request. */
  readonly goal: string;
  /** The last request that changed direction, or null. */
  readonly later: string | null;
}

/** The first real request, and the last one that changed direction. Null without prompts. */
export function goalOf(prompts: readonly string[], max: number): Goal | null {
  const requests = prompts.filter(isRequest);
  const first = requests.find((text) => !opening.test(bare(text))) ?? requests[0];
  if (first === undefined) {
    const [any] = prompts;
    return any === undefined ? null : { goal: requestIn(any, max), later: null };
  }
  const rest = requests
    .slice(requests.indexOf(first) + 1)
    .filter((text) => !reply.test(bare(text)) && wordsIn(text) >= laterWordsMin);
  const turn = rest.findLast((text) => turning.test(text)) ?? rest.at(-1);
  return {
    goal: shortened(first, max),
    later: turn === undefined ? null : shortened(turn, Math.floor(max * laterShare)),
  };
}

const laterShare = 0.6;

/** Longer than a yes, not a chore, and not only a pasted output. */
function isRequest(prompt: string): boolean {
  const text = bare(prompt);
  if (onlyAnswers(text)) return false;
  return wordsIn(prompt) >= goalWordsMin && !everySentence(text, chore) && !everySentence(text, goAhead);
}

const goalWordsMin = 4;
const laterWordsMin = 6;

/** Words with a letter; in a script without spaces two signs count as one. */
function wordsIn(prompt: string): number {
  const text = bare(prompt).slice(0, 2_000);
  const dense =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length + Math.floor(dense / 2);
}

/** A greeting, or a question about what the assistant can do. */
const opening =
  /^(?:hi|hello|hey|do you (?:have|know|see)|can you (?:see|access)|are you (?:able|there))\b.{0,60}$/is;

/** Agreement, or a question about what was just done. */
const reply =
  /^(?:(?:yes|yeah|yep|ok(?:ay)?|sure|right|great|perfect|cool|nice|good|sounds good|makes sense|i like|i agree|thanks?|exactly|hmm|did you|are you|summari[sz]e|explain|is (?:it|this|that)|do you have)\b)/i;

const request = (what: string): RegExp =>
  new RegExp(`^(?:(?:${polite})[,.! ]+)*(?:${what})\\b.{0,60}$`, 'is');
const polite =
  "ok(?:ay)?|great|perfect|nice|thanks|good|yes|yeah|yep|now|then|and|please|can you|could you|let'?s|also";

/** Requests at the end of any work. */
const chore = request(
  'commit|push|clear|exit|quit|merge|rebase|create an? (?:new )?(?:branch|commit|pr|pull request)|open an? (?:pr|pull request)|(?:generate|write) (?:a |the )?commit|stage|(?:update|add to) (?:the )?changelog',
);
/** What follows is the work, which was named before. */
const goAhead = request('continue|go on|go ahead|proceed|do it|try again|retry');

/** A request such as to commit, in every sentence. */
export function isChore(prompt: string): boolean {
  return everySentence(bare(prompt), chore);
}

function everySentence(text: string, form: RegExp): boolean {
  return text.split(/(?<=[.!?])\s+/).every((sentence) => form.test(sentence));
}

/** Words that change direction. */
const turning =
  /^(?:no\b|wait\b|stop\b|actually\b|instead\b|hmm|forget|revert|undo|rather|i (?:don'?t|changed)|let'?s (?:not|pause|stop|switch|instead|revert|start over)|now (?:let|can|please|we|i)|next\b|let'?s (?:move|do|try|use|make|add|go))|\binstead\b|\bchange of plan\b/i;

/** A prompt on one line; a plan as its title and purpose. */
function shortened(prompt: string, max: number): string {
  const plan = planIn(prompt, max);
  return plan === null ? requestIn(bare(prompt), max) : clip(plan, 2 * max);
}

/** Without a slash command and pasted blocks. */
function bare(prompt: string): string {
  const text = prompt.replace(/^\/[\w:.-]+ /, '').replace(/```[\s\S]*?(?:```|$)/g, ' ');
  return text.trim() === '' ? prompt : text.trim();
}

/** Claude Code starts a new conversation with `Implement the following plan:` and the plan. */
function planIn(prompt: string, max: number): string | null {
  const forwarded = /^Implement the following plan:\s*/.exec(prompt);
  if (forwarded === null) return null;
  const lines = prompt
    .slice(forwarded[0].length)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [title = '', ...rest] = lines;
  const name = title.replace(/^#+\s*(?:Plan\s*[:\u2013\u2014-]\s*)?/i, '').replaceAll('`', "'");
  const room = Math.max(max - name.length, 120);
  const wish = wishIn(rest.join('\n'), room);
  return wish === '' ? name : `${name} (plan): ${wish}`;
}
