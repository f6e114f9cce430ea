/**
 * Pi, recorded with 0.73.1: an extension instead of hooks and of a server for tools. A skill that a prompt names stands in the prompt whole.
 */
import { type Assistant, preToolUse } from '../form/index.ts';
import { install } from './install.ts';
import { payload } from './payload.ts';
import { places } from './places.ts';
import { transcripts } from './transcripts.ts';

export const pi: Assistant = {
  name: 'pi',
  variables: ['PI_CODING_AGENT_DIR', 'PI_CODING_AGENT_SESSION_DIR'],
  install,
  resume: (session) => `pi --session ${session}`,
  before: preToolUse,
  payload,
  recall: 'nested',
  noise: { elements: 'skill' },
  transcripts,
  places,
};
