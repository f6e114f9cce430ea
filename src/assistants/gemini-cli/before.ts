import { type Before, byDecision, readNamed } from '../form/index.ts';

export const before: Before = {
  read: (payload) => readNamed(payload, 'BeforeTool'),
  deny: byDecision,
  showsMessages: true,
};
