import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

/** What a terminal obeys or hides: C0 but newline, DEL, C1, and marks that turn text around. */
const obeyed =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/;

test('every control, format and direction character is escaped, in keys too', () => {
  const all = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code)).join('');
  const tag = String.fromCodePoint(0xe_0041);
  for (const space of [undefined, 2]) {
    const text = jsonText({ [all]: [all, tag] }, space);
    expect(text).not.toMatch(obeyed);
    expect(text).not.toContain(tag);
    expect(JSON.parse(text)).toEqual({ [all]: [all, tag] });
  }
});

test('parsed, it is what JSON.stringify would have given', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
      const whole = { value, text };
      expect(JSON.parse(jsonText(whole))).toEqual(JSON.parse(JSON.stringify(whole)));
    }),
  );
});
