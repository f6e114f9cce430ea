import { sentencesOf } from '../../calls/text/index.ts';

/** Whether a user's message only remarks how things stand: praise, what he will look at himself. It asks for nothing, also not by naming a fault. */
export function isRemark(message: string): boolean {
  const text = message.trim();
  if (text === '' || text.length > remarkCharsMax || asksMore.test(text)) return false;
  return sentencesOf(text).every((sentence) => remarks.test(sentence));
}

const remarkCharsMax = 300;
const praise =
  '(?:great|good|nice|cool|fine|perfect|awesome|excellent|amazing|exciting|impressive|beautiful|better)';
const remarks = new RegExp(
  [
    `^(?:(?:ok(?:ay)?|oh|man|wow|yes|well|and)[,.! ]+)*(?:${praise}|wow|thanks?(?: you)?)(?: (?:job|work|stuff|one|idea))?[.!,]*$`,
    `^(?:(?:ok(?:ay)?|oh|man|wow|yes|well|and)[,.! ]+)*(?:this|that|it)(?:'s| is| was) (?:an? |so |really |very |such an? )*${praise}\\b`,
    `^(?:so far[, ]+)?(?:[\\w']+ ){0,5}looks? (?:really |very |pretty |so )*${praise}\\b`,
    `^(?:ok(?:ay)?[,. ]+)?i(?:'ll| will) (?:see|look|wait|test|try|check|watch|let you know)\\b`,
  ].join('|'),
  'i',
);
const asksMore =
  /\?|\b(?:please|but|however|though|except|still|instead|wrong|broken|missing|errors?|fail\w*|bugs?|problems?|issues?|\w+n['’]t|now|next|also|then|needs? to|must|let['’]?s|(?:i|we) want|add|fix|remove|make|change|use|update|can (?:you|we)|could (?:you|we)|would (?:you|be))\b/i;
