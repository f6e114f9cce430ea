/**
 * Cursor, from its documentation and public sources only.
 */
import type { Assistant } from '../form/index.ts';
import { before } from './before.ts';
import { install } from './install.ts';
import { payload } from './payload.ts';
import { places } from './places.ts';
import { transcripts } from './transcripts.ts';

export const cursor: Assistant = {
  name: 'cursor',
  shell: ['CURSOR_AGENT'],
  install,
  before,
  payload,
  transcripts,
  places,
};
