/**
 * Every known format, by table: with a published prefix, as a pattern, or in a command line. The order does not matter: overlapping
 * matches are merged.
 */
import type { Rule } from '#redact/form';
import { commandRules } from './commands.ts';
import { formatRules } from './formats.ts';
import { patternRules } from './patterns.ts';

export const rules: readonly Rule[] = [...patternRules, ...commandRules, ...formatRules];
