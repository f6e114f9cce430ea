import { type ToolFamily, toolFamily } from '#core/event';
import type { Factor } from './factor.ts';

/**
 * The intent of a query by its form. `change`: something done or to do ("fix race in session refresh", "feat(auth): rotate
 * tokens", "when did we rename it"). `command`: how something is done ("how did we undo the release", "the command that fixed the
 * migration"). `words`: a few plain words ("session refresh race"). `any`: a question, a request, a pasted text, a path or a code.
 */
export type Intent = 'change' | 'command' | 'words' | 'any';

/** What a query asks for, by its form. */
export interface Reading {
  readonly query: string;
  readonly intent: Intent;
  readonly looksBack: boolean;
  /** What was said answers it rather than calls do. */
  readonly isTalk: boolean;
  readonly asksWishes: boolean;
  /** Nothing but a date is asked for. */
  readonly isOnlyDate: boolean;
}

export function intentOf(query: string): Intent {
  const said = query.trim();
  if (said.length > intentCharsMax || said.includes('\n')) return 'any';
  if (subjectPrefix.test(said) || whenDone.test(said)) return 'change';
  if (howDone.test(said)) return 'command';
  if (said.includes('?') || toSomebody.test(said) || question.test(said)) return 'any';
  if (doing.test(said)) return 'change';
  return plainWords(said) < 2 ? 'any' : 'words';
}

/**
 * The factor of a call by its tool: a query about a change looks for edits. The same factor for every query would help changes at
 * the cost of requests (an edit x 1.5: nDCG@10 of commit queries .243 -> .320, of prompts .201 -> .188).
 */
export function intentFactor({ intent, looksBack, isTalk }: Reading, tool: string): Factor {
  const asksCalls = intent !== 'any' || (looksBack && !isTalk);
  const value = (asksCalls && factors[intent][toolFamily(tool)]) || 1;
  return { name: 'wish', value, words: `${tool}, as the query seems to ask for` };
}

const factors: Readonly<Record<Intent, Readonly<Partial<Record<ToolFamily, number>>>>> = {
  change: { edit: 1.6 },
  words: { edit: 1.25 },
  command: { command: 1.3 },
  /** Of questions and errors, which an edit made so or repaired, where calls answer: questions .617 -> .631, prompts -.002. */
  any: { edit: 1.15 },
};

/** Longer than the subject of any change. */
const intentCharsMax = 150;

/** `fix: `, `feat(search)!: `, `ABC-123: `, `[ci] `: how the subject of a commit begins. */
const subjectPrefix =
  /^(?:(?:build|chore|ci|docs?|feat|fix|hotfix|perf|refactor|revert|style|tests?)(?:\([^)]*\))?!?: |[A-Z]{2,10}-\d+:? |\[[^\]]{1,20}\] )/i;

/** Words of a conversation. */
const toSomebody =
  /\b(?:you|your|i|i'm|i'd|i've|i'll|let'?s|he|his|she|me|my|please|pls|yes|yeah|okay|ok|thanks)\b/i;

const whenDone =
  /^(?:when|where|in which (?:commit|session)) (?:did|have|had|was|were) (?:we|i|you|they|the|it)\b/i;

const howDone =
  /^how (?:to|(?:did|do|does|can|could|would|should) (?:we|i|you|one|they))\b|\b(?:command|commands|one-liner|statement|invocation)s? (?:that|which|to|for|with|we|i)\b/i;

const question =
  /^(?:can|could|should|would|will|do|does|did|is|are|was|were|has|have|what|what's|why|where|how|when|which|who|whose|any|now|so|but|and|still|command|commands)\b/i;

/** Begins with a verb in any form, perhaps after `also`, `more`, `better`. */
const doing = new RegExp(
  `^(?:(?:also|more|better|some|auto-?)\\s+)?(?:${[
    'add adjust address allow avoid bump chang check clarif clean convert correct creat deduplicat delet detect disabl',
    'display document drop enabl ensur expand expos extract fix format handl hid implement improv includ increas',
    'initiali[sz] introduc keep lint log mak mark merg migrat mov optimi[sz] pars pass pin prevent reduc refactor remov',
    'renam replac restor revert rewrit rework run set show simplif skip split squash standardi[sz] stor support surfac',
    'switch test tid track tweak unif updat upgrad us validat wir',
  ]
    .join(' ')
    .replaceAll(' ', '|')})(?:e|es|ed|d|s|ing|y|ies|ied|[bdgmnpt](?:ed|ing))?\\b`,
  'i',
);

function plainWords(said: string): number {
  return said.split(/\s+/).filter((word) => /^\p{L}{2,}$/u.test(word)).length;
}
