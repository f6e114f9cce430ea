import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '#core/event';
import { runs } from '../../../test/support/runs.ts';
import { fill } from '../../../test/support/secrets.ts';
import { redact, redactObservation } from './index.ts';

const words = 'the merger closes on Friday';
const password = `hx7${fill('alnum', 9)}`;
const patch = (...lines: string[]): Json => ({ structuredPatch: [{ oldStart: 1, lines }] });

describe('one text in pieces', () => {
  it.each<[string, Json, string]>([
    ['lines', ['a', '<private>', words, '</private>', 'end'], words],
    ['lines of a patch', patch(' a', '+<private>', `+${words}`, '+</private>', ' end'), words],
    [
      'hunks',
      { hunks: [{ lines: [' <private>', ` ${words}`] }, { lines: [` ${words}`, ' </private>', ' end'] }] },
      words,
    ],
    ['content blocks', ['<private>', words, '</private> end'].map((text) => ({ type: 'text', text })), words],
    [
      'blocks of several shapes',
      [{ text: '<private>' }, { resource: { text: words } }, { text: '</private> end' }],
      words,
    ],
    ['chunks', ['a <pri', `vate>${words}`, '</priv', 'ate> end'], words],
    ['cells', { cells: [{ source: ['# a\n', '<private>\n', `${words}\n`, '</private>\n', 'end'] }] }, words],
    ['numbered names', { line1: '<private>', line2: words, line3: '</private> end' }, words],
    ['fields', { head: 'a <private>', middle: words, tail: '</private> end' }, words],
    [
      'edits',
      {
        edits: [
          { old_string: '<private>', new_string: words },
          { old_string: '</private>', new_string: 'end' },
        ],
      },
      words,
    ],
    [
      'what an earlier memd left',
      patch(' a', '+<redacted:private>', `+${words}`, '+</private>', ' end'),
      words,
    ],
    ['a name and a value', patch('+- name: DB_PASSWORD', `+  value: ${password}`, ' end'), password],
    [
      'a name and a value in JSON',
      ['+ "name": "DB_PASSWORD",', `+ "value": "${password}"`, ' end'],
      password,
    ],
    ['.netrc', patch('+machine example.org', '+  login me', `+  password ${password}`, ' end'), password],
    ['a value without its name', { old: password, new: 'end', patch: `DB_PASSWORD=${password}` }, password],
    [
      'a part of a private text',
      { old: words, file: `<private>\nso ${words}, we hear\n</private>\nend` },
      words,
    ],
  ])('%s', (_, value, secret) => {
    const once = redact(value).value;
    expect(JSON.stringify(once)).not.toContain(secret);
    expect(JSON.stringify(once)).toContain('end');
    expect(shapeOf(once)).toEqual(shapeOf(value));
    expect(redact(once)).toEqual({ value: once, redactions: 0, kinds: {} });
  });

  it('keeps the signs of a patch', () => {
    expect(redact(patch(' a', '-<private>', `-${words}`, '-</private>', '+b')).value).toEqual(
      patch(' a', '-<redacted:private>', '-<redacted:private>', '-<redacted:private>', '+b'),
    );
  });

  it('is one text over what a tool got and what it gave', () => {
    const call = { tool: 'Edit', sessionId: 's', toolUseId: null, ts: '2026-01-02T03:04:05.678Z', cwd: null };
    const input = { old_string: words };
    const output = { file: `<private>${words}</private>` };
    const { value } = redactObservation({ ...call, client: 'generic', isError: false, input, output });
    expect(value.input).toEqual({ old_string: '<redacted:private>' });
  });

  it.each<[string, Json]>([
    [
      'lines that belong together by chance',
      ['API_KEY=', 'DEBUG=true-and-1', 'password:', '  size: 12345678'],
    ],
    [
      'placeholders at the beginning of lines, which are no marks of a diff',
      ['kind: Secret', 'stringData: {', 'data:', '<redacted:private>', '<redacted:private>'],
    ],
    ['a tag that is only named', { a: 'opens with', b: 'closes with </private>', c: words }],
  ])('leaves alone: %s', (_, value) => {
    expect(redact(value).value).toEqual(value);
  });

  it('redacting twice changes nothing more, however a text is cut', () => {
    const line = fc.constantFrom(
      ...[
        '<private>',
        '</private>',
        words,
        'kind: Secret',
        'data:',
        `  config: ${password}`,
        'stringData: {',
      ],
      ...[`-----BEGIN PRIVATE ${'KEY'}-----`, fill('base64', 64), fill('base64', 64, 3), '}', '"', '\\n', ''],
      ...[
        `-----END PRIVATE ${'KEY'}-----`,
        '- name: DB_TOKEN',
        `  value: ${password}`,
        'machine a',
        `12\tpassword ${password}`,
      ],
    );
    const signed = fc
      .tuple(fc.constantFrom('', '+', '-', ' ', '> ', '3:'), line)
      .map((parts) => parts.join(''));
    const texts = fc.array(signed, { maxLength: 9 });
    const value = fc.oneof(
      texts,
      texts.map((lines) => lines.join('\n')),
      fc.array(fc.record({ type: fc.constant('text'), text: signed, lines: texts }), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'line1', 'line2'), fc.oneof(signed, texts)),
    );
    fc.assert(
      fc.property(value, (input) => {
        const once = redact(input).value;
        expect(redact(once)).toEqual({ value: once, redactions: 0, kinds: {} });
      }),
      {
        numRuns: runs(400),
        examples: [
          [{ a: ['<private>'], line1: '<private>', b: ['</private>'] }],
          [['kind: Secret', 'stringData: {', '\\n', '<redacted:private>']],
        ],
      },
    );
  });
});

/** A value without what its strings say. */
function shapeOf(value: Json): Json {
  return JSON.parse(JSON.stringify(value, (_, item) => (typeof item === 'string' ? '' : item)));
}
