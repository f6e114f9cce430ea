/**
 * Days and spans as people write them: `yesterday`, `last week`, `9 to 15 February`, `2w`. All in local time; a week begins on Monday.
 * Promises: what is not surely a date is none (`may`, `march`, `10:30`, a bare number, a date within a name). Pure.
 */
export { boundForms, sinceMs, untilMs } from './bound.ts';
export { type Said, spanIn } from './said.ts';
export { dayWords, type Span, spanWords } from './span.ts';
