import { describe, expect, test } from 'vitest';
import { Failure, inSentences, sentence } from './failure.ts';

describe('the message of a failure', () => {
  test('is the cause alone when nothing follows', () => {
    expect(new Failure('timeout', 'timeout').message).toBe('timeout');
  });

  test('has one sentence each for what failed, what is safe and what to do', () => {
    const more = { safe: 'nothing is lost', repair: 'run `memd restart`' };
    const { message, what, repair } = new Failure('x', 'daemon: unreachable', more);
    expect(message).toBe('daemon: unreachable. Nothing is lost. Run `memd restart`.');
    expect({ what, repair }).toEqual({ what: 'daemon: unreachable', repair: 'run `memd restart`' });
  });

  test('has no double full stop when it quotes another one', () => {
    expect(inSentences('cannot start: no room. Free some.', 'try again.')).toBe(
      'cannot start: no room. Free some. Try again.',
    );
  });

  test.each([
    'memd start --foreground shows it',
    '~/.memd/config.json',
    'drain.backend is hosted',
    '`memd up`',
  ])('keeps the beginning of %j', (text) => {
    expect(sentence(text)).toBe(`${text}.`);
  });
});
