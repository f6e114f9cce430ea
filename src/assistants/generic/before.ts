import { own, stringAt } from '#core/event';
import { type Before, planned, preToolUse } from '../form/index.ts';

/** `{tool, input}` without a result. */
export const before: Before = {
  ...preToolUse,
  read(payload) {
    const tool = stringAt(payload, 'tool');
    if (tool === undefined || !('input' in payload) || 'output' in payload) return null;
    return planned(payload, tool, own(payload, 'input'));
  },
};
