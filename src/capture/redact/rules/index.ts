import type { Rule } from '../rule.ts';
import { commandRules } from './commands.ts';
import { formatRules } from './formats.ts';
import { patternRules } from './patterns.ts';

/** Every known format. The order does not matter: overlapping matches are merged. */
export const rules: readonly Rule[] = [...patternRules, ...commandRules, ...formatRules];
