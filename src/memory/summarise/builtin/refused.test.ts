import { describe, expect, it } from 'vitest';
import { sampleCall } from '../../../../test/support/calls/sample.ts';
import { draftSummary } from './draft.ts';

describe('a call that was refused', () => {
  it('gives a refusal in the words of the user', () => {
    const { text } = draftSummary(
      sampleCall(
        'Bash',
        { command: 'npm publish' },
        "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nnot before Friday",
        { isError: true },
      ),
    );
    expect(text).toBe('refused by the user: Ran `npm publish`; they said: not before Friday');
  });

  it('gives what the client refused with its reason, and not as failed', () => {
    const said = 'Permission for this action was denied. Reason: it publishes';
    const { text } = draftSummary(
      sampleCall('Bash', { command: 'npm publish' }, said, { refused: true, isError: false }),
    );
    expect(text).toBe(`refused: Ran \`npm publish\`; ${said}`);
  });

  it('leaves out of a refusal what the client says to its model', () => {
    const said = 'not before Friday\n\nNote: The next message may hold a correction. Pay attention to it.';
    const { text } = draftSummary(
      sampleCall(
        'Bash',
        { command: 'npm publish' },
        `The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\n${said}`,
        { isError: true },
      ),
    );
    expect(text).toBe('refused by the user: Ran `npm publish`; they said: not before Friday');
  });
});
