/**
 * Copilot CLI, recorded with 1.0.102.
 */
import type { Assistant } from '../form/index.ts';
import { before } from './before.ts';
import { install } from './install.ts';
import { payload } from './payload.ts';
import { places } from './places.ts';
import { transcripts } from './transcripts.ts';

export const copilotCli: Assistant = {
  name: 'copilot-cli',
  session: 'COPILOT_AGENT_SESSION_ID',
  variables: ['COPILOT_HOME'],
  install,
  resume: (session) => `copilot --resume ${session}`,
  before,
  payload,
  recall: 'flat',
  noise: { elements: 'current_datetime current_date attached_files attachments' },
  transcripts,
  places,
};
