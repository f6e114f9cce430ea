/**
 * Gemini CLI, recorded with 0.61.0.
 */
import { type Assistant, byDecision, readNamed } from '../form/index.ts';
import { install } from './install.ts';
import { noise } from './noise.ts';
import { payload } from './payload.ts';
import { places } from './places.ts';
import { transcripts } from './transcripts.ts';

export const geminiCli: Assistant = {
  name: 'gemini-cli',
  shell: ['GEMINI_CLI'],
  variables: ['GEMINI_CLI_HOME'],
  install,
  resume: (session) => `gemini --resume ${session}`,
  before: { read: (payload) => readNamed(payload, 'BeforeTool'), deny: byDecision, showsMessages: true },
  payload,
  recall: 'nested',
  noise,
  transcripts,
  places,
};
