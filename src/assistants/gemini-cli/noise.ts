import { type NoiseRule, named } from '../form/index.ts';

export const noise: readonly NoiseRule[] = [
  {
    form: 'element',
    match: named('session_context hook_context'),
  },
  {
    form: 'tail',
    match: /(?:^|\n)--- Content from referenced files ---/,
  },
  {
    form: 'whole',
    match: /^This is the Gemini CLI\. We are setting up/,
  },
];
