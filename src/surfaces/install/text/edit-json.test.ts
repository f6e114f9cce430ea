import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { JsonFile } from './json-file.ts';

/** A value as somebody may have written it: any white space, comments, a comma behind the last. */
function written(value: unknown): fc.Arbitrary<string> {
  const gap = fc.constantFrom(
    '',
    ' ',
    '\n',
    '\n  ',
    '\r\n\t',
    ' /* a, "b" */ ',
    ' // c\n',
    '\n// d { \n    ',
  );
  if (typeof value !== 'object' || value === null) return fc.constant(JSON.stringify(value));
  const inner = Array.isArray(value)
    ? value.map((one) => written(one))
    : Object.entries(value).map(([key, one]) =>
        fc.tuple(gap, gap, written(one)).map(([a, b, text]) => `${JSON.stringify(key)}${a}:${b}${text}`),
      );
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return fc
    .tuple(gap, fc.tuple(...inner.map((one) => fc.tuple(gap, one, gap))), gap, fc.boolean())
    .map(([first, parts, last, hasComma]) => {
      const text = parts.map(([a, one, b]) => a + one + b).join(',');
      return `${open}${first}${text}${parts.length > 0 && hasComma ? `,${last}` : ''}${close}`;
    });
}

const names = fc.oneof(
  fc.constantFrom('hooks', 'mcpServers', 'A', 'B', 'version', '__proto__'),
  fc.string({ maxLength: 4 }),
);
const settings = fc.dictionary(
  names,
  fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.dictionary(names, fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.array(fc.jsonValue({ maxDepth: 1 })))),
  ),
);
const texts = settings.chain(written);

describe('what is put in and taken out', () => {
  test('leaves the same bytes, whatever the text was', () => {
    fc.assert(
      fc.property(
        texts,
        fc.array(fc.constantFrom('A', 'B', 'C'), { minLength: 1, maxLength: 4 }),
        (text, events) => {
          const file = new JsonFile(text, 'settings', true);
          const isList = (event: string): boolean => {
            const hooks = file.value('hooks');
            const list = file.value('hooks', event);
            return (hooks === undefined || isObject(hooks)) && (list === undefined || Array.isArray(list));
          };
          fc.pre(events.every(isList) && [undefined, 'object'].includes(kindOf(file.value('mcpServers'))));
          const added = events.map((event) => {
            file.add(['hooks', event], { matcher: 'x', hooks: [{ command: 'y', args: ['a', 'b'] }] });
            return [event, (file.value('hooks', event) as unknown[]).length - 1] as const;
          });
          file.put(['mcpServers', 'mine'], { command: 'z', args: [] });
          const reread: unknown = JSON.parse(JSON.stringify(file.value()));
          expect(reread).toEqual(file.value());
          file.take(['mcpServers', 'mine']);
          for (const [event, index] of added.reverse()) file.take(['hooks', event, index]);
          expect(file.text).toBe(text);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  test('keeps what was there, in its order', () => {
    fc.assert(
      fc.property(settings, (value) => {
        const text = JSON.stringify(value, null, '\t');
        fc.pre(!('mine' in value));
        const file = new JsonFile(text, 'settings', false);
        file.put(['mine'], { a: [1] });
        const after: Record<string, unknown> = JSON.parse(file.text ?? '');
        expect(Object.keys(after).filter((key) => key !== 'mine')).toEqual(Object.keys(JSON.parse(text)));
        expect(after).toEqual({ ...JSON.parse(text), mine: { a: [1] } });
      }),
    );
  });
});

function isObject(value: unknown): boolean {
  return kindOf(value) === 'object';
}

function kindOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
