import { toolFamily } from '../event/index.ts';

/**
 * What a query asks for, as its form tells: `change` says what was done or is to be done ("fix race in session refresh",
 * "feat(auth): rotate tokens"), `words` names a thing in a few words ("session refresh race"); `any` is all else: a
 * question, a request to an assistant, a pasted text, a path or a code.
 */
export type Wish = 'change' | 'words' | 'any';

export function wishOf(query: string): Wish {
  const said = query.trim();
  if (said.length > wishCharsMax || said.includes('\n')) return 'any';
  if (subjectPrefix.test(said)) return 'change';
  if (said.includes('?') || toSomebody.test(said) || question.test(said)) return 'any';
  if (doing.test(said)) return 'change';
  return plainWords(said) < 2 ? 'any' : 'words';
}

/**
 * How much more an edit is worth than another call of the same standing. Who tells of a change looks for where it was
 * made. The same for every query takes from questions what it gives to changes (an edit x 1.5: nDCG@10 of commit queries
 * .243 -> .320, of prompts .201 -> .188); told apart by form, prompts keep theirs.
 */
export function changeFactor(wish: Wish, tool: string): number {
  return toolFamily(tool) === 'edit' ? editFactors[wish] : 1;
}

const editFactors: Readonly<Record<Wish, number>> = { change: 1.6, words: 1.25, any: 1 };

/** Longer than the subject of any change. */
const wishCharsMax = 150;

/** `fix: `, `feat(search)!: `, `ABC-123: `, `[ci] `: how the subject of a commit begins. */
const subjectPrefix =
  /^(?:(?:build|chore|ci|docs?|feat|fix|hotfix|perf|refactor|revert|style|tests?)(?:\([^)]*\))?!?: |[A-Z]{2,10}-\d+:? |\[[^\]]{1,20}\] )/i;

/** Words between two who talk. */
const toSomebody =
  /\b(?:you|your|i|i'm|i'd|i've|i'll|let'?s|he|his|she|me|my|please|pls|yes|yeah|okay|ok|thanks)\b/i;

const question =
  /^(?:can|could|should|would|will|do|does|did|is|are|was|were|has|have|what|what's|why|where|how|when|which|who|whose|any|now|so|but|and|still|command|commands)\b/i;

/** Begins with what is done: a verb in any form, perhaps after `also`, `more`, `better`. */
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
