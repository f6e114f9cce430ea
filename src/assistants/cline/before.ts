import { objectAt, own, stringAt } from '#core/event';
import { type Before, planned } from '../form/index.ts';

export const before: Before = {
  read(payload) {
    const call = objectAt(payload, 'preToolUse') ?? {};
    const tool = stringAt(call, 'toolName') ?? stringAt(call, 'tool');
    return tool === undefined ? null : planned(payload, tool, own(call, 'parameters'));
  },
  deny: (reason) => ({ cancel: true, errorMessage: reason }),
};
