/**
 * What every rule and scanner shares: ranges of a text, the shape of a rule and of what it found, values, and how texts quote them. Pure.
 * It does not decide what is a secret.
 */

export { endAt, type Line, lastAtMost, linesOf, matchAt, outerBracket, type Range } from './range.ts';
export * from './rule.ts';
export * from './value.ts';
export * from './value-places.ts';
