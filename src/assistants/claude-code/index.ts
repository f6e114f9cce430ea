/**
 * Claude Code, recorded with 2.1.329.
 */
import { type Assistant, preToolUse } from '../form/index.ts';
import { install } from './install.ts';
import { noise } from './noise.ts';
import { payload } from './payload.ts';
import { places } from './places.ts';
import { transcripts } from './transcripts.ts';

export const claudeCode: Assistant = {
  name: 'claude-code',
  shell: ['CLAUDECODE'],
  session: 'CLAUDE_CODE_SESSION_ID',
  variables: ['CLAUDE_CONFIG_DIR'],
  install,
  resume: (session) => `claude --resume ${session}`,
  before: { ...preToolUse, takesContext: true },
  payload,
  recall: 'nested',
  noise,
  transcripts,
  places,
};
