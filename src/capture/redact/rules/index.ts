import type { Rule } from '../rule.ts';
import { cloudRules } from './cloud.ts';
import { codeRules } from './code.ts';
import { commandRules } from './commands.ts';
import { formatRules } from './formats.ts';
import { generalRules } from './general.ts';
import { keyRules } from './keys.ts';
import { messageRules } from './messages.ts';
import { serviceRules } from './services.ts';

/** Every known format. The order does not matter: overlapping matches are merged. */
export const rules: readonly Rule[] = [
  ...generalRules,
  ...commandRules,
  ...keyRules,
  ...cloudRules,
  ...codeRules,
  ...messageRules,
  ...serviceRules,
  ...formatRules,
];
