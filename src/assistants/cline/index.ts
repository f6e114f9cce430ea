/**
 * Cline, from its documentation only: its hook before a call.
 */
import type { Assistant } from '../form/index.ts';
import { before } from './before.ts';

export const cline: Assistant = {
  name: 'cline',
  before,
};
