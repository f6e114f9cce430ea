import { type Unit, unitsOf } from './units.ts';

/** Sentences that state a choice: `Let's use X instead of Y`, `We decided ...`. Only whole ones of a bounded length. */
export function decisionsIn(message: string, role: 'user' | 'assistant'): string[] {
  const rule = role === 'user' ? chosenByUser : chosenTogether;
  return unitsOf(message)
    .filter(
      ({ kind, text }: Unit) => kind !== 'heading' && kind !== 'pasted' && text.length <= decisionCharsMax,
    )
    .flatMap(({ text }) => (rule.test(text) && !question.test(text) ? [text] : []));
}

const decisionCharsMax = 240;
const question = /\?$|^(?:can|could|should|would|why|what|how|is|are|do|does|did)\b/i;
const chosenByUser =
  /\b(?:let'?s (?:use|go with|keep|stick|drop|not|avoid|choose|pick)|we (?:have |'ve )?(?:decided|agreed|chose)|i (?:have |'ve )?(?:decided|prefer|chose)|i'?d (?:rather|prefer)|(?:use|keep|prefer|do|make|put|call) [^.]{2,80} instead\b|instead of|rather than)\b/i;
const chosenTogether =
  /\b(?:(?:we|you)(?:'ve| have)? (?:decided|agreed|chose|opted)|as (?:you )?(?:decided|agreed))\b/i;
