/**
 * What every rule and scanner shares: ranges of a text, the shape of a rule and of what it found, values, and how texts quote them. Pure.
 * It does not decide what is a secret.
 */
export {
  attributedAt,
  closingQuote,
  elementAt,
  formPartAt,
  isSetBy,
  quotedAt,
  wrappedValues,
} from './notation.ts';
export { endAt, type Line, lastAtMost, linesOf, matchAt, outerBracket, type Range } from './range.ts';
export {
  type Form,
  isBoundary,
  isSetName,
  isWord,
  Notes,
  once,
  type Rule,
  ranks,
  rowsOf,
  ruleOf,
  type Scanner,
  type SetName,
  type Span,
  sets,
} from './rule.ts';
export {
  entropy,
  isExpression,
  isOneWord,
  isPlaceholder,
  isTemplate,
  isTypeName,
  isWordy,
  looksLikePath,
  looksRandom,
} from './value.ts';
