import { own, stringAt } from '#core/event';
import { type Before, isCopilots, planned, readNamed } from '../form/index.ts';

/** Its own payloads name no event, and may have a patch as arguments. */
export const before: Before = {
  read(payload) {
    const tool = stringAt(payload, 'toolName');
    if (tool === undefined) return isCopilots(payload) ? readNamed(payload, 'PreToolUse') : null;
    const isOver = 'toolResult' in payload || 'error' in payload;
    return isOver ? null : planned(payload, tool, own(payload, 'toolArgs'));
  },
  deny: (reason) => ({ permissionDecision: 'deny', permissionDecisionReason: reason }),
};
