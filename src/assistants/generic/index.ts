/**
 * The plain shape `{tool, input, output}` of any other program, and of the contract's `capture`.
 */
import type { Assistant } from '../form/index.ts';
import { before } from './before.ts';
import { payload } from './payload.ts';

export const generic: Assistant = {
  name: 'generic',
  before,
  payload,
};
