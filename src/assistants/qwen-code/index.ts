/**
 * Qwen Code, recorded with 0.24.4: Claude Code's events with Gemini CLI's results.
 */
import { type Assistant, preToolUse } from '../form/index.ts';
import { install } from './install.ts';
import { payload } from './payload.ts';
import { places } from './places.ts';
import { transcripts } from './transcripts.ts';

export const qwenCode: Assistant = {
  name: 'qwen-code',
  shell: ['QWEN_CODE'],
  session: 'QWEN_CODE_SESSION_ID',
  variables: ['QWEN_HOME', 'QWEN_RUNTIME_DIR'],
  install,
  resume: (session) => `qwen --resume ${session}`,
  before: preToolUse,
  payload,
  recall: 'nested',
  transcripts,
  places,
};
