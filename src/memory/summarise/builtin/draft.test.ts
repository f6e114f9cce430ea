import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, Payload } from '#core/event';
import { summaryCharsMax } from '#core/limits';
import { sampleCall } from '../../../../test/support/calls/sample.ts';
import { runs } from '../../../../test/support/runs.ts';
import { draftSummary } from './draft.ts';
import { builtinTermsCharsMax } from './words.ts';

const tools = [
  'Bash Edit Write apply_patch Read Grep Glob WebSearch WebFetch Task TodoWrite AskUserQuestion LSP mcp__a__b odd',
]
  .join(' ')
  .split(' ');

function expectBounded(payload: Payload): void {
  const { text, terms } = draftSummary(payload);
  expect(text.length).toBeGreaterThan(0);
  expect(text.length).toBeLessThanOrEqual(summaryCharsMax);
  expect(terms.length).toBeLessThanOrEqual(builtinTermsCharsMax);
  expect(`${text}${terms}`).not.toContain('\n');
}

/** Values under the keys that the families read, so that the shapes get past the first check. */
const keys =
  'command file_path content old_string new_string edits todos questions pattern path output file stdout'.split(
    ' ',
  );
const json = fc.jsonValue({ maxDepth: 4 }).map((value): Json => JSON.parse(JSON.stringify(value)));
const shaped = fc.dictionary(fc.constantFrom(...keys), json);

describe('any payload', () => {
  it('has a draft within the limits, the same each time', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...tools),
        fc.oneof(shaped, json),
        fc.oneof(shaped, json),
        (tool, input, output) => {
          const payload = sampleCall(tool, input, output);
          expectBounded(payload);
          expect(draftSummary(payload)).toEqual(draftSummary(payload));
        },
      ),
      { numRuns: runs(150) },
    );
  });

  it('even when it is none', () => {
    fc.assert(
      fc.property(json, (value) => {
        // What an operator may have written into the database.
        const payload: Payload = Object.assign(sampleCall('x', null, null), isRecord(value) ? value : {});
        expectBounded(payload);
      }),
    );
  });

  it('with endless blank lines takes no more time than any other', () => {
    // To try each of them again would take hours.
    expectBounded(sampleCall('Bash', { command: 'mill' }, `grinding${'\n'.repeat(1_000_000)}done`));
  });

  const line = 'x'.repeat(24_000);
  const hostile: readonly (readonly [string, Json])[] = [
    ['one huge line', line],
    ['a huge line of words', 'word '.repeat(5_000)],
    ['many lines', 'error: a.ts:1:2 failed\n'.repeat(1_000)],
    ['escapes without end', '\u001b['.repeat(12_000)],
    ['a title that never ends', `\u001b]0;${line}`],
    ['open quotes', `"${'\\"'.repeat(10_000)}`],
    ['an open here-document', `cat <<EOF\n${line}`],
    ['folders without end', 'cd a && '.repeat(3_000)],
    ['only spaces', ' '.repeat(24_000)],
    ['brackets', '('.repeat(24_000)],
    ['dots', 'a.'.repeat(12_000)],
    ['half a character', '\ud83d'.repeat(1_000)],
    ['a patch of nothing', `*** Begin Patch\n${'*** Update File: \n@@\n'.repeat(1_000)}`],
    ['an open tag', '<redacted:'.repeat(2_400)],
    ['reminders', '<system-reminder>'.repeat(1_400)],
    ['null', null],
    ['nothing', ''],
    ['nested lists', JSON.parse(`${'['.repeat(180)}"deep"${']'.repeat(180)}`)],
    ['a prototype', JSON.parse('{"__proto__":{"command":"x"},"constructor":1}')],
  ];
  it.each(hostile)('survives %s in every place', (_, value) => {
    for (const tool of tools) {
      expectBounded(sampleCall(tool, value, value));
      expectBounded(
        sampleCall(tool, { command: value, file_path: value, content: value, pattern: value }, value),
      );
      expectBounded(
        sampleCall(
          tool,
          { file_path: 'a.ts', old_string: value, new_string: 'b', prompt: value },
          { stdout: value },
        ),
      );
    }
  });
});

describe('terms', () => {
  it('hold no placeholder of the redactor', () => {
    const { terms } = draftSummary(
      sampleCall(
        'Bash',
        { command: 'curl -H "x-key: <redacted:env>" http://127.0.0.1:8181/ready' },
        '<redacted:jwt> ok',
      ),
    );
    expect(terms).not.toMatch(/redacted|jwt/);
    expect(terms).toContain('http://127.0.0.1:8181/ready');
  });

  it('keep words of other scripts', () => {
    const { terms } = draftSummary(
      sampleCall('Write', { file_path: 'a.md', content: '# 部署\n数据库迁移说明' }, ''),
    );
    expect(terms).toContain('数据库迁移说明');
  });
});

function isRecord(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
