import {
  asksFor,
  asksIn,
  isRemark,
  isShortRequest,
  onlyAnswers,
  requestIn,
  spokenIn,
  wishIn,
  wordsIn,
} from '#reading/talk';
import { clip } from '#reading/text';
import type { Goal, Said } from './account.ts';

const goalCharsMax = 320;
const shortCharsMax = 150;

/** What a prompt says, and what the user chose in its turn. */
interface Prompt extends Said {
  readonly chose: string;
}

/** The first prompt that is a request by itself; after `go on where we stopped` also what the user chose then. Else the first one. */
export function goalOf(prompts: readonly Prompt[]): Goal | null {
  const asked = prompts.flatMap(({ seq, text, chose }, at) =>
    isRequest(text) || (at === 0 && namesWork(text))
      ? [{ seq, text }]
      : chose !== '' && goesAhead(text)
        ? [{ seq, text: chose }]
        : [],
  );
  // `... feedback to address:` is followed by what it is.
  const isOpening = ({ text }: Said): boolean =>
    opening.test(bare(text)) || bare(text).endsWith(':') || isRemark(bare(text));
  // What is said of the work that goes on may be a remark.
  const isSure = ({ text }: Said): boolean =>
    wordsIn(text) >= sureWordsMin && asksFor(bare(text)) && !tag.test(bare(text));
  const [first] = prompts;
  const found =
    (first !== undefined && goesAhead(first.text)
      ? asked.find((one) => !isOpening(one) && isSure(one))
      : undefined) ??
    asked.find((one) => !isOpening(one)) ??
    asked[0] ??
    first;
  if (found === undefined || (asked.length === 0 && (namesNothing(found.text) || bare(found.text) === '')))
    return null;
  // Some send it again, with a sentence more.
  const last = asked.findLast(({ text }) => text.startsWith(found.text)) ?? found;
  const { title, text } = wanted(last.text, goalCharsMax);
  const line = title === '' ? asksIn(bare(last.text)) : '';
  const isCut = /[:\u2026]$/.test(line);
  const short =
    line === '' ? whole((max) => wanted(last.text, max).text, shortCharsMax, text) : isCut ? text : line;
  return { seq: last.seq, title, text, short };
}

/** More room rather than a sentence that is cut. */
export function whole(said: (max: number) => string, max: number, otherwise: string): string {
  const short = said(max);
  return /[:\u2026]$/.test(short) ? otherwise : short;
}

/** Longer than a yes, not a chore, and not only a pasted output. */
export function isRequest(prompt: string): boolean {
  const text = bare(prompt);
  const words = wordsIn(text);
  if (onlyAnswers(text)) return false;
  if (agreement.test(text) && words <= agreementWordsMax && !goesOn.test(text) && !asksFor(text))
    return false;
  return words >= goalWordsMin && !isChore(text) && !goesAhead(text);
}

/** `Implement mill-42`: few words, and one of them names what it is. */
function namesWork(prompt: string): boolean {
  const text = bare(prompt);
  return isShortRequest(text) && /[#\d/_`-]|[a-z][A-Z]/.test(text) && !isChore(text) && !goesAhead(text);
}

/** `you did not push, did you?` */
const tag = /\b(?:(?:do|did|have|are|were|can|will) (?:you|we|they)|(?:is|was|does|did) it|right)\?$/i;
const sureWordsMin = 8;
const goalWordsMin = 4;
const agreementWordsMax = 12;

/** The same of a later one, which may be short: `remove the icons`. */
export function asksMore(prompt: string): boolean {
  return isRequest(prompt) || (isShortRequest(bare(prompt)) && !isChore(prompt) && !goesAhead(prompt));
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
  'commit|push(?! on)|clear|exit|quit|merge|rebase|create (?:an? )?(?:new |separate |draft )?(?:branch|commit|pr|pull request)|open an? (?:pr|pull request)|(?:generate|write) (?:a |the )?commit|stage|(?:i (?:allow|permit) you to|you (?:can|may)|feel free to) (?:commit|push|merge)|(?:provide|give me|write) (?:a |an )?(?:\\w+ )?(?:synopsis|summary|recap) of what you',
);
/** `commit, and fix the test` asks for more. */
const more =
  /(?:\band|\bthen|,) (?:also )?(?:update|add|fix|release|write|change|remove|rename|bump|tag|deploy|move|check)\b/i;
const greeting = /^(?:hi|hello|hey|welcome|good (?:morning|afternoon|evening))\b.{0,80}$/is;
/** What follows is the work, which was named before. */
const goAhead = request('continue|go on|go ahead|proceed|do it|try again|retry|pick up where|resume');
/** `now, please, implement the fix` */
const named = new RegExp(
  `^(?:(?:${polite})[,.! ]+)*(?:do|implement|apply|fix|make|build|start)(?: on| with)? (?:it|this|that|these|them|all|(?:the|your) (?:fix|plan|changes?|suggestions?|implementation|work))(?: (?:now|then|too|please))*[.! ]*$`,
  'i',
);

/** To commit, with what belongs to a commit. */
export function commitsOnly(prompt: string): boolean {
  return isChore(prompt) || logged.test(bare(prompt));
}

const logged = /^(?:(?:ok|then|now|and|please)[,. ]+)*commit\b[^.?]{0,25}\bchange ?log\b.{0,12}$/i;

/** A request such as to commit, in every sentence. */
export function isChore(prompt: string): boolean {
  const text = bare(prompt);
  return !more.test(text) && everySentence(text.slice(0, choreCharsMax), chore);
}

/** The form in which a summary is wanted is no request. */
const choreCharsMax = 90;

/** Goes on, without a word of what. */
function namesNothing(prompt: string): boolean {
  return everySentence(bare(prompt), goAhead, greeting);
}

/** Goes on with work that was named before. */
export function goesAhead(prompt: string): boolean {
  return everySentence(bare(prompt), goAhead, named, greeting);
}

/** `Implement the plan`: a request of its own, where the one before was only talked about. */
export function beginsWork(prompt: string): boolean {
  return named.test(bare(prompt)) && /\b(?:the|your) \w/i.test(bare(prompt));
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

/** Without a slash command and pasted blocks, and without the frame that a tool puts around it. */
function bare(prompt: string): string {
  const text = prompt.replace(/^\/[\w:.-]+ /, '').replace(/```[\s\S]*?(?:```|$)/g, ' ');
  return text.trim() === '' ? prompt : spokenIn(text).trim();
}
