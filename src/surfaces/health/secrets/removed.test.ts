import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#core/event';
import { redact } from '#redact/engine';
import { removedBetween, withoutRemoved } from './removed.ts';

const password = ['tangerine', 'submarine', '47'].join('-');

describe('what redaction has taken out', () => {
  it.each<[string, Json, Json, string[]]>([
    ['in the middle', 'a SECRETS b', 'a <redacted:x> b', ['SECRETS']],
    ['at the end', 'a SECRETS', 'a <redacted:x>', ['SECRETS']],
    ['as a whole', 'SECRETS', '<redacted:x>', ['SECRETS']],
    ['twice', 'a=FIRSTONE b=SECONDONE', 'a=<redacted:x> b=<redacted:y>', ['FIRSTONE', 'SECONDONE']],
    ['behind an older placeholder', 'a <redacted:x> SECRETS', 'a <redacted:x> <redacted:y>', ['SECRETS']],
    ['side by side', 'a SECRETSSECRETS', 'a <redacted:x><redacted:y>', ['SECRETSSECRETS']],
    ['deep', { a: [{ b: 'SECRETS' }] }, { a: [{ b: '<redacted:x>' }] }, ['SECRETS']],
    ['in a key', { SECRETS: 1 }, { '<redacted:x>': 1 }, ['SECRETS']],
    ['a number', { pin: 12345678 }, { pin: '<redacted:x>' }, ['12345678']],
    ['too short to look for', 'a 1234 b', 'a <redacted:x> b', []],
    ['nothing', { a: 'b' }, { a: 'b' }, []],
  ])('%s', (_, before, after, texts) => {
    expect(removedBetween(before, after).map(({ text }) => text)).toEqual(texts);
  });

  it('is found again in a text that nothing marks', () => {
    const before = { output: `DB_PASSWORD=${password}\nok` };
    const removed = removedBetween(before, redact(before).value);
    expect(withoutRemoved(`connected with ${password}.`, removed)).toBe('connected with <redacted:env>.');
  });

  it('is only ever a part of what was there, and is gone afterwards', () => {
    const word = fc.constantFrom(
      'the',
      'DB_PASSWORD=',
      password,
      ' ',
      '\n',
      'ok',
      '"',
      '<redacted:env>',
      'token: ',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), (words) => {
        const before = words.join('');
        const after = redact(before).value;
        const removed = removedBetween(before, after);
        for (const { text } of removed) {
          expect(before).toContain(text);
          expect(withoutRemoved(`x ${text} y`, removed)).not.toContain(text);
        }
      }),
    );
  });
});
