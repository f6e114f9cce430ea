/**
 * Cursor, from its documentation only. Its transcripts have no times and mostly no results: they are not read.
 */
import type { Assistant } from '../form/index.ts';
import { before } from './before.ts';
import { install } from './install.ts';
import { payload } from './payload.ts';

export const cursor: Assistant = {
  name: 'cursor',
  shell: ['CURSOR_AGENT'],
  install,
  before,
  payload,
};
