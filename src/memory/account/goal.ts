import { clip } from '../../calls/text/index.ts';
import { asksFor, onlyAnswers, requestIn, wishIn } from '../talk/index.ts';
import type { Goal } from './account.ts';

const goalCharsMax = 320;
const shortCharsMax = 150;

/** The first prompt that is a request by itself, else the first one. */
export function goalOf(prompts: readonly { readonly seq: number; readonly text: string }[]): Goal | null {
  const requests = prompts.filter(({ text }) => isRequest(text));
  const first = requests.find(({ text }) => !opening.test(bare(text))) ?? requests[0] ?? prompts[0];
  if (first === undefined) return null;
  const { title, text } = wanted(first.text, goalCharsMax);
  const short = whole((max) => wanted(first.text, max).text, shortCharsMax, text);
  return { seq: first.seq, title, text, short };
}

/** More room rather than a sentence that is cut. */
export function whole(said: (max: number) => string, max: number, otherwise: string): string {
  const short = said(max);
  return short.endsWith('…') ? otherwise : short;
}

/** Longer than a yes, not a chore, and not only a pasted output. */
export function isRequest(prompt: string): boolean {
  const text = bare(prompt);
  if (onlyAnswers(text) || (agreement.test(text) && !goesOn.test(text) && !asksFor(text))) return false;
  return (
    wordsIn(text) >= goalWordsMin && !everySentence(text, chore) && !everySentence(text, goAhead, greeting)
  );
}

const goalWordsMin = 4;

/** Words with a letter; in a script without spaces two signs count as one. */
function wordsIn(prompt: string): number {
  const text = prompt.slice(0, 2_000);
  const dense =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu)?.length ?? 0;
  return text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length + Math.floor(dense / 2);
}

/** A greeting, or a question about what the assistant can do. */
const opening =
  /^(?:hi|hello|hey|do you (?:have|know|see)|can you (?:see|access)|are you (?:able|there))\b.{0,60}$/is;

const agreement =
  /^(?:yes|yeah|yep|ok(?:ay)?|sure|right|great|perfect|cool|nice|good|sounds good|looks good|makes sense|i like|i agree|thanks?|exactly|hmm)\b/i;

/** `yes, and paint it red` */
const goesOn = /^(?:[\w']+[,.! ]+){1,3}(?:and|but|also|then|now|next)\b(?:[ ,]+[\w'-]+){2}/i;

const request = (what: string): RegExp =>
  new RegExp(`^(?:(?:${polite})[,.! ]+)*(?:${what})\\b.{0,60}$`, 'is');
const polite =
  "ok(?:ay)?|great|perfect|nice|thanks|good|yes|yeah|yep|now|then|and|please|can you|could you|let'?s|also";

/** Requests at the end of any work. */
const chore = request(
  'commit|push|clear|exit|quit|merge|rebase|create an? (?:new )?(?:branch|commit|pr|pull request)|open an? (?:pr|pull request)|(?:generate|write) (?:a |the )?commit|stage|(?:update|add to) (?:the )?changelog',
);
const greeting = /^(?:hi|hello|hey|welcome|good (?:morning|afternoon|evening))\b.{0,80}$/is;
/** What follows is the work, which was named before. */
const goAhead = request('continue|go on|go ahead|proceed|do it|try again|retry|pick up where|resume');

/** A request such as to commit, in every sentence. */
export function isChore(prompt: string): boolean {
  return everySentence(bare(prompt), chore);
}

function everySentence(text: string, ...forms: readonly RegExp[]): boolean {
  return text.split(/(?<=[.!?])\s+/).every((sentence) => forms.some((form) => form.test(sentence)));
}

/** A prompt on one line; a plan as its title and purpose. */
function wanted(prompt: string, max: number): { readonly title: string; readonly text: string } {
  const forwarded = /^Implement the following plan:\s*/.exec(prompt);
  if (forwarded === null) return { title: '', text: requestIn(bare(prompt), max) };
  const lines = prompt
    .slice(forwarded[0].length)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const [head = '', ...rest] = lines;
  const title = head.replace(/^#+\s*(?:Plan\s*[:\u2013\u2014-]\s*)?/i, '').replaceAll('`', "'");
  return { title, text: clip(wishIn(rest.join('\n'), Math.max(max - title.length, 120)), 2 * max) };
}

/** Without a slash command and pasted blocks. */
function bare(prompt: string): string {
  const text = prompt.replace(/^\/[\w:.-]+ /, '').replace(/```[\s\S]*?(?:```|$)/g, ' ');
  return text.trim() === '' ? prompt : text.trim();
}
