/**
 * OpenCode, recorded with 1.18.33: a plugin instead of hooks, a database instead of transcripts.
 */
import type { Assistant } from '../form/index.ts';
import { before } from './before.ts';
import { install } from './install.ts';
import { payload } from './payload.ts';
import { places } from './places.ts';
import { transcripts } from './transcripts.ts';

export const opencode: Assistant = {
  name: 'opencode',
  shell: ['OPENCODE'],
  variables: ['XDG_DATA_HOME', 'OPENCODE_DB'],
  install,
  resume: (session) => `opencode --session ${session}`,
  before,
  payload,
  transcripts,
  places,
};
