/**
 * Cline, recorded with 3.0.65: a plugin instead of hook files and of a server for tools.
 */
import type { Assistant } from '../form/index.ts';
import { before } from './before.ts';
import { install } from './install.ts';
import { noise } from './noise.ts';
import { payload } from './payload.ts';
import { places } from './places.ts';
import { transcripts } from './transcripts.ts';

export const cline: Assistant = {
  name: 'cline',
  variables: ['CLINE_DIR', 'CLINE_DATA_DIR', 'CLINE_SESSION_DATA_DIR'],
  install,
  resume: (session) => `cline --id ${session}`,
  before,
  payload,
  recall: 'nested',
  noise,
  transcripts,
  places,
};
