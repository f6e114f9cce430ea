import type { Noise } from '../form/index.ts';

export const noise: Noise = {
  elements: 'session_context hook_context',
  tails: [/(?:^|\n)--- Content from referenced files ---/],
  prompts: [/^This is the Gemini CLI\. We are setting up/],
};
