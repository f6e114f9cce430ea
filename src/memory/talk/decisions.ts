import { type Unit, unitsOf } from './units.ts';

/** Sentences that state a choice: `Let's use X instead of Y`, `We decided ...`. Only whole ones of a bounded length. */
export function decisionsIn(message: string, role: 'user' | 'assistant'): string[] {
  const isTyped = role === 'user' && message.length <= typedCharsMax;
  const chosen = role === 'user' ? chosenByUser : chosenTogether;
  const states = (text: string): boolean => chosen.test(text) || (isTyped && comparedByUser.test(text));
  return unitsOf(message)
    .filter(
      ({ kind, text }: Unit) => kind !== 'heading' && kind !== 'pasted' && text.length <= decisionCharsMax,
    )
    .flatMap(({ text }) => (states(text) && !question.test(text) ? [text] : []));
}

const decisionCharsMax = 240;
const typedCharsMax = 600;
const question = /\?$|^(?:can|could|should|would|why|what|how|is|are|do|does|did)\b/i;
const chosenByUser =
  /\b(?:let'?s (?:completely |only |just )?(?:use|go with|keep|stick|drop|avoid|choose|pick|remove|include)|we (?:have |'ve )?(?:decided|agreed|chose)|i (?:have |'ve )?(?:decided|prefer|chose)|i'?d (?:rather|prefer)|we should not [^.]{2,120}\bbut instead)\b/i;
/** A pasted review compares in such words too: only in a message that someone typed. */
const comparedByUser =
  /^(?!the |this |if |instead )[^.]*\b(?:use|keep|make|put|call) [^.]{2,80} (?:instead\b|rather than\b)/i;
const chosenTogether =
  /\b(?:(?:we|you)(?:'ve| have)? (?:decided|agreed|chose|opted)|as (?:you )?(?:decided|agreed))\b/i;

/** The option that a prompt such as `option 3` or `I like Option C` chooses, in the words of the reply that offered it; null when the reply does not name it. */
export function optionChosen(prompt: string, offered: string): string | null {
  const name = picks.exec(prompt.trim())?.[1]?.toLowerCase();
  if (name === undefined) return null;
  for (const { text, kind } of unitsOf(offered)) {
    const found = option.exec(text);
    if (kind === 'pasted' || found === null || found[1]?.toLowerCase() !== name) continue;
    return text.length <= decisionCharsMax ? text : null;
  }
  return null;
}

const picks =
  /^(?:(?:yes|yeah|yep|ok|okay|sure|good|great)[,.! ]+)*(?:(?:let'?s )?(?:go with|do|use|pick|try|implement) |i (?:like|prefer|choose) |i(?:'d| would) (?:go with|prefer) )?(?:the )?option ([a-z]|\d{1,2})\b(?!,? (?:from|but|except|though|if|and|or|does|is|isn|won|can|has|would|seems|looks))[^?]{0,300}$/i;
const option = /^option ([a-z]|\d{1,2})\s{0,2}[:.)(\u2013\u2014-]\s{0,2}\S/i;
