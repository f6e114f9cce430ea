import { clip, sentencesOf } from '#reading/text';
import { asksFor } from './asks.ts';
import { closingQuestion } from './closing-question.ts';
import { type Unit, unitsOf } from './units.ts';

/** Sentences of a user that state a choice: `Let's use X instead of Y`, `We decided ...`. Only whole ones of a bounded length. */
export function decisionsIn(message: string): string[] {
  const isTyped = message.length <= typedCharsMax;
  const states = (text: string): boolean =>
    chosen.test(text) || (isTyped && (compared.test(text) || rules.test(text)));
  return unitsOf(message)
    .filter(
      ({ kind, text }: Unit) => kind !== 'heading' && kind !== 'pasted' && text.length <= decisionCharsMax,
    )
    .flatMap(({ text }) => (states(text) && !question.test(text) ? [text] : []));
}

const decisionCharsMax = 240;
const typedCharsMax = 600;
const question = /\?$|^(?:can|could|should|would|why|what|how|is|are|do|does|did)\b/i;
const chosen =
  /\b(?:let'?s (?:completely |only |just )?(?:use|go with|keep|stick|drop|avoid|choose|pick|remove|include|not)|we don'?t want|we (?:have |'ve )?(?:decided|agreed|chose)|i (?:have |'ve )?(?:decided|prefer|chose)|i(?:'?d| would) (?:rather|prefer|go with)|i (?:allow|permit) you to|we should not [^.]{2,120}\bbut instead)\b/i;
/** A pasted review compares in such words too: only in a message that someone typed. */
const compared =
  /^(?!the |this |if |instead )[^.]*\b(?:use|keep|make|put|call) [^.]{2,80} (?:instead\b|rather than\b)/i;
/** It holds from now on; `Always fails on CI` and `Never mind that` say no wish. */
const rules =
  /^(?:(?:and|also|please|ok(?:ay)?),? )*(?:never|always|from now on,?) (?!(?:mind|again|had|saw|did|got|been|\w*[^\Wsu]s|\w+[^\We]ed)\b)[a-z]+ \S/i;
/**
 * The option that a prompt such as `option 3` or `I like Option C` chooses, in the words of the reply that offered it, with what the
 * prompt says about it; null when the reply does not name it.
 */
export function optionChosen(prompt: string, offered: string): string | null {
  const text = prompt.trim();
  const [, plain] = picks.exec(text) ?? [];
  const [, named = plain, about = ''] = plain === undefined ? (picksAnd.exec(text) ?? []) : [];
  const name = named?.toLowerCase();
  if (name === undefined) return null;
  const found = unitsOf(offered).find(
    ({ text: said, kind }) => kind !== 'pasted' && option.exec(said)?.[1]?.toLowerCase() === name,
  );
  const chosen = found?.text ?? numbered(offered, name);
  if (chosen === null || chosen.length > decisionCharsMax) return null;
  return about === '' ? chosen : `${chosen}: ${clip(about.replace(/\s+/g, ' '), aboutCharsMax)}`;
}

/**
 * What a short prompt answers to the question that ends a reply: `Which would you prefer? → link the PR`. Only for questions that offer a
 * choice; null for any other.
 */
export function choiceAnswered(prompt: string, reply: string): string | null {
  const answer = prompt.replace(/\s+/g, ' ').trim();
  if (answer.length > answerCharsMax || answer.endsWith('?') || noChoice.test(answer)) return null;
  const asked = closingQuestion(reply, choiceCharsMax);
  if (!offersChoice.test(asked)) return null;
  const about = bareChoice.test(asked) ? subjectOf(reply) : asked;
  return about === null ? null : `${about} → ${answer}`;
}

/** What introduces the options of a reply. */
function subjectOf(reply: string): string | null {
  const units = unitsOf(reply);
  const first = units.findIndex(({ kind, text }) => kind === 'item' || option.test(text));
  const lead = units
    .slice(0, first)
    .findLast(({ kind, text }) => kind === 'sentence' && !offersOnly.test(text));
  return lead === undefined || lead.text.length > choiceCharsMax ? null : lead.text.replace(/[.:]$/, '');
}

/** `I can either:` */
const offersOnly = /^(?:i|we|you) (?:can|could|have)\b|\boptions?\b/i;
const answerCharsMax = 100;
const choiceCharsMax = 160;
const offersChoice = /\bwhich\b|\bprefer(?:ence|red)?\b|, or (?:pick|keep|should we)\b/i;
/** `Which would you prefer?` says nothing without what stands before it. */
const bareChoice =
  /^(?:so )?(?:which|what) (?:(?:one|option|approach|way|of (?:these|those|them|the two)) )?(?:(?:would|do|should) (?:you|i|we) \w+(?: to \w+)?)?(?: with)?\?$/i;
/** A bare `1` says nothing without what it stands for. */
const noChoice = /^\W*\w{1,2}\W*$|^(?:hmm|but|and|what|how|why|the|it|i'm|push|commit|yes|yeah|no|ok)\b/i;

/** Whether words are nothing but a question: they choose nothing. */
export function onlyAsks(words: string): boolean {
  return sentencesOf(words).every(
    (sentence) =>
      (sentence.trimEnd().endsWith('?') || wonders.test(sentence)) &&
      !chosen.test(sentence) &&
      !instead.test(sentence),
  );
}

/** Whether words, in English, tell what to do or what not, apart from what they ask. */
export function directs(words: string): boolean {
  const said = sentencesOf(words).filter((sentence) => !sentence.trimEnd().endsWith('?'));
  return !english.test(words) || said.some((one) => directive.test(one) || instead.test(one) || asksFor(one));
}

const english = /\b(?:the|this|that|it|i|we|an?|you|just|on|my)\b/i;
const directive =
  /\b(?:don['\u2019]?t|not|no|never|instead|rather|only|should|must|wants?|needs?|let['\u2019]?s|first|better|already|too)\b/i;

/** `does this grind, use the other one instead` */
const instead =
  /[,;.] (?:(?:so|then|just|please|but) )*(?:use|keep|make|put|call|take|add|do|don['\u2019]?t|go)\b[^?]*$/i;

/** `pause, does this have a use`, `I was wondering if`. */
const wonders =
  /^no[,.! ]+(?:(?:that|this|it)(?:['\u2019]s| is| was)|too) \w+[.\u2026!]*$|^(?!.*\?\s)(?:(?:no|pause|wait|hold on|stop|again|hmm|but|ok(?:ay)?)[,.! ]+)*(?:(?:does|do|did|is|are|would) (?:this|that|it|we|you|they|the|there)\b|(?:what|why|how|where|when) (?:does|do|is|are|about|would)\b)|\bi(?: was|['\u2019]m| am) (?:\w+ )?wondering\b/i;

/** The sentence of a prompt that takes back the work before it; null without one. */
export function takenBack(prompt: string): string | null {
  return (
    unitsOf(prompt).find(({ text }) => text.length <= decisionCharsMax && takesBack.test(text))?.text ?? null
  );
}

const takesBack = /\bi(?:'ve| have)? (?:just )?reverted (?:all|everything|your|the)\b|\blet'?s start over\b/i;

/** Whether it says that nothing is left of the changes before it. */
export function takesAllBack(prompt: string): boolean {
  return unitsOf(prompt).some(({ kind, text }) => kind !== 'pasted' && takesAll.test(text));
}

const takesAll =
  /\bi(?:['’]ve| have)? (?:just )?(?:reverted|undone|undid|rolled back) (?:everything|all|(?:all )?(?:of )?(?:your|the|those|these) (?:changes|edits|work))\b(?! (?:in|to|of|for|from|on|but|except)\b)/i;

/** The options that a reply names. */
export function optionsIn(reply: string): string[] {
  return unitsOf(reply).flatMap(({ text }) => (option.test(text) ? [clip(text, aboutCharsMax / 2)] : []));
}

/** Whether a question says nothing without what stands before it. */
export function isBareChoice(asked: string): boolean {
  return bareChoice.test(asked);
}

/** An option without the word: an item of a numbered list in a reply about options. */
function numbered(offered: string, name: string): string | null {
  if (!/\boptions?\b/i.test(offered)) return null;
  const lines = offered.split('\n').filter((line) => /^\d{1,2}[.)] /.test(line));
  const line = lines.filter((one) => one.startsWith(`${name}.`) || one.startsWith(`${name})`));
  return line.length === 1 ? `Option ${(line[0] ?? '').replace(/[.)] /, ': ').replaceAll('**', '')}` : null;
}

/** What a plan lists below a heading such as `Design Decisions`, without the details. */
export function decisionsInPlan(plan: string): string[] {
  return unitsOf(plan)
    .filter(({ kind, at, section }) => kind === 'item' && at === 0 && planDecisions.test(section))
    .map(({ text }) => headOf(text))
    .filter((text) => text.length <= decisionCharsMax);
}

/** Without its details, unless it says nothing without them: `Prompt: Major rewrite`. */
function headOf(text: string): string {
  const [head = text] = text.split(/ \(|; | [\u2013\u2014] /, 1);
  const plain = head.replace(/`[^`]*`/g, '`');
  const isName = !/\p{L}\S*\s+\S*\p{L}/u.test(plain) || /: \S+(?: \S+)?$/.test(plain);
  const whole = text.replace(/ \([^()]*\)/g, '');
  return isName && whole.length <= decisionCharsMax ? whole : head;
}

const planDecisions = /^(?:(?:user|key|design|technical) )*decisions?\b|^decided\b/i;
const aboutCharsMax = 160;
const picks =
  /^(?:(?:yes|yeah|yep|ok|okay|sure|good|great)[,.! ]+)*(?:(?:let'?s )?(?:go with|do|use|pick|try|implement) |i (?:like|prefer|choose) |i(?:'d| would) (?:go with|prefer) )?(?:the )?option ([a-z]|\d{1,2})\b(?!,? (?:from|but|except|though|if|and|or|does|is|isn|won|can|has|would|seems|looks))[^?]{0,300}$/i;
/** With a detail, which is part of the choice; with a condition it may be none. */
const picksAnd =
  /^(?:(?:yes|yeah|ok|okay)[,.! ]+)*(?:i (?:like|prefer|choose)|let'?s (?:go with|do|use)) (?:the )?option ([a-z]|\d{1,2})\b(?![,.:; ]*(?:but|except|though|if)\b)[,.:; ]+([^?]{8,600})$/i;
const option = /^option ([a-z]|\d{1,2})\s{0,2}[:.)(\u2013\u2014-]\s{0,2}\S/i;
