import { objectAt, own, stringAt } from '#core/event';
import { type Before, byDecision } from '../before.ts';

/** `tool.execute.before(input, output)`, with the plugin's folder. */
export const opencodeBefore: Before = {
  read(payload) {
    const output = objectAt(payload, 'output');
    const tool = stringAt(objectAt(payload, 'input') ?? {}, 'tool');
    if (tool === undefined || output === undefined || !('args' in output)) return null;
    const cwd = stringAt(payload, 'directory') ?? stringAt(payload, 'cwd') ?? null;
    return { tool, input: own(output, 'args') ?? null, cwd };
  },
  deny: byDecision,
};
