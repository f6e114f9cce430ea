import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '#core/platform';
import { runs } from '../../../test/support/runs.ts';
import { assistants } from './assistants.ts';
import { isIn, put, take } from './change.ts';
import type { Options, Part } from './part.ts';

const env = { HOME: '/home/ada', PATH: '' };
const here = { node: '/usr/bin/node', dist: '/opt/memd/dist' };
const elsewhere = { node: "/opt/my node's/bin/node", dist: '/home/ada/old memd $HOME/`x`/dist' };

function partsOf(name: string, programs = here, options: Partial<Options> = {}): readonly Part[] {
  const assistant = assistants.find((one) => one.name === name);
  return assistant?.parts({ env, programs, options: { guard: null, recall: false, ...options } }) ?? [];
}

/** The file's text with all parts of that file in it, or without. */
function all(parts: readonly Part[], file: string, text: string | null, work: typeof put): string | null {
  const own = parts.filter((part) => part.file === file);
  return (work === take ? own.toReversed() : own).reduce((now, part) => work(part, now), text);
}

const foreignHook = { matcher: 'Write', hooks: [{ type: 'command', command: 'prettier --write' }] };
const settings = fc.record(
  {
    theme: fc.jsonValue({ maxDepth: 1 }),
    version: fc.constantFrom<unknown>(1, 1, 2),
    hooks: fc.dictionary(
      fc.constantFrom('PreToolUse', 'PostToolUse', 'BeforeTool', 'preToolUse', 'Stop', 'sessionStart'),
      fc.array(fc.constantFrom<unknown>(foreignHook, { command: './audit.sh' }), { maxLength: 2 }),
    ),
    mcpServers: fc.dictionary(fc.constantFrom('other', 'db'), fc.constant({ command: 'x' })),
    mcp: fc.dictionary(fc.constantFrom('other'), fc.constant({ type: 'local', command: ['x'] })),
  },
  { requiredKeys: [] },
);
const indents = fc.constantFrom<string | number | undefined>(undefined, 1, 2, 4, '\t');
const jsonTexts = fc
  .tuple(settings, indents, fc.constantFrom('', '\n', '\n\n'), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([value, indent, end, newline, isReversed]) => {
    const entries = Object.entries(value);
    const parsed = Object.fromEntries(isReversed ? entries.reverse() : entries);
    return JSON.stringify(parsed, null, indent).replaceAll('\n', newline) + end;
  });
const jsonFiles = fc.oneof(
  jsonTexts,
  fc.constantFrom(null, '', '\n', ' ', '{}', '{ }', '{\n}\n', '\ufeff{}'),
);

const tomlLines = fc.constantFrom(
  ...['model = "m"', '', '# a comment', '[projects."/home/ada/x"]', 'trust_level = "trusted"', '[[tools]]'],
  ...[
    'args = [\n  "a", # one\n  "b"\n]',
    "text = '''\n[mcp_servers.memd]\n'''",
    '[mcp_servers.other]',
    'a.b = 1',
  ],
  ...['env = { X = "1" }', 'when = 2026-01-01T00:00:00Z', '  indented = true', "'quoted key' = 1"],
);
const tomlFiles = fc.oneof(
  fc.constant(null),
  fc
    .tuple(fc.uniqueArray(tomlLines), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\n', '\n\n'))
    .map(([lines, newline, end]) => (lines.join('\n') + end).replaceAll('\n', newline)),
);

describe.each(assistants.map(({ name }) => name))('%s', (name) => {
  const parts = partsOf(name);
  const files = [...new Set(parts.map(({ file }) => file))];
  const textsFor = (file: string) => {
    const kind = parts.find((part) => part.file === file)?.kind;
    if (kind === 'own-file') return fc.constant(null);
    return kind === 'toml-server' ? tomlFiles : jsonFiles;
  };

  test.each(files)('%s: taking out gives back the bytes; putting in twice is once', (file) => {
    fc.assert(
      fc.property(textsFor(file), fc.constantFrom(null, 'warn', 'block'), (text, guard) => {
        const wanted = partsOf(name, here, { guard });
        const put1 = all(wanted, file, text, put);
        expect(wanted.filter((part) => part.file === file).every((part) => isIn(part, put1))).toBe(true);
        expect(all(wanted, file, put1, put)).toBe(put1);
        expect(all(parts, file, put1, take)).toBe(text);
        expect(all(parts, file, text, take)).toBe(text);
      }),
      { numRuns: runs(50) },
    );
  });

  test.each(files)("%s: an older memd's entries are replaced, not doubled", (file) => {
    fc.assert(
      fc.property(textsFor(file), (text) => {
        const old = all(partsOf(name, elsewhere, { guard: 'warn' }), file, text, put);
        const renewed = all(parts, file, old, put);
        expect(renewed).not.toContain('old memd');
        expect(all(parts, file, renewed, put)).toBe(renewed);
        expect(all(parts, file, renewed, take)).toBe(text);
        expect(all(parts, file, old, take)).toBe(text);
      }),
      { numRuns: runs(50) },
    );
  });
});

describe('what is not ours', () => {
  const [hooks, server] = partsOf('cursor');
  const [, toml] = partsOf('codex');
  const [plugin] = partsOf('opencode');
  const refused = (work: () => unknown): string => {
    try {
      work();
    } catch (error) {
      if (error instanceof Failure) return error.message;
    }
    throw new Error('it was not refused');
  };

  test('a server of the same name is refused, and left by taking out', () => {
    const text = '{"mcpServers": {"memd": {"url": "https://example.com"}}}';
    if (server === undefined) throw new Error('no part');
    expect(refused(() => put(server, text))).toMatch(
      /mcp\.json has another server named "memd"\. Nothing was changed/,
    );
    expect(take(server, text)).toBe(text);
    const table = '[mcp_servers.memd]\ncommand = "other"\n';
    if (toml === undefined) throw new Error('no part');
    expect(refused(() => put(toml, table))).toMatch(/another server named/);
    expect(take(toml, table)).toBe(table);
    for (const inline of [
      'mcp_servers.memd = { command = "memd", args = ["mcp"] }\n',
      '[mcp_servers]\nmemd = { command = "memd", args = ["mcp"] }\n',
      'mcp_servers.memd.command = "memd"\nmcp_servers.memd.args = ["mcp"]',
    ])
      expect(refused(() => put(toml, inline))).toMatch(
        /config\.toml line \d: mcp_servers\.memd is written as a value/,
      );
  });

  test('a server that the user wrote by hand is taken over, with what he added', () => {
    if (server === undefined || toml === undefined) throw new Error('no part');
    const byHand =
      '{"mcpServers": {"memd": {"command": "memd", "args": ["mcp"], "env": {"MEMD_NS": "work"}}}}';
    expect(JSON.parse(put(server, byHand) ?? '').mcpServers.memd).toMatchObject({
      ...{ command: here.node, args: [`${here.dist}/memd.cjs`, 'mcp'], env: { MEMD_NS: 'work' } },
    });
    const table = 'a = 1\n[mcp_servers.memd]\ncommand = "memd"\nargs = ["mcp"]\n\n# next\n[x]\n';
    expect(put(toml, table)).toBe(`a = 1\n${toml.kind === 'toml-server' ? toml.body : ''}\n\n# next\n[x]\n`);
    expect(take(toml, table)).toBe('a = 1\n\n# next\n[x]\n');
    const withTools = `${put(toml, 'a = 1\n')}\n[mcp_servers.memd.tools.mem_search]\napproval_mode = "approve"\n`;
    expect(take(toml, withTools)).toBe('a = 1\n\n');
  });

  test("another program's hook with a name like ours stays", () => {
    const text = JSON.stringify({
      version: 1,
      hooks: { preToolUse: [{ command: 'node /srv/x/boundary.cjs --strict' }] },
    });
    if (hooks === undefined) throw new Error('no part');
    const after = put(hooks, text) ?? '';
    expect(JSON.parse(after).hooks.preToolUse).toHaveLength(2);
    expect(take(hooks, after)).toBe(text);
  });

  test('of a group that the user has put his own hook into, only ours goes', () => {
    const [part] = partsOf('codex');
    if (part === undefined) throw new Error('no part');
    const parsed = JSON.parse(put(part, null) ?? '');
    parsed.hooks.PostToolUse[0].hooks.push({ type: 'command', command: 'notify' });
    const after = JSON.parse(take(part, JSON.stringify(parsed, null, 2)) ?? '');
    expect(after).toEqual({ hooks: { PostToolUse: [{ hooks: [{ type: 'command', command: 'notify' }] }] } });
    const again = JSON.parse(put(part, JSON.stringify(parsed, null, 2)) ?? '');
    expect(JSON.stringify(again.hooks.PostToolUse).match(/capture-observation/g)).toHaveLength(1);
  });

  test('a plugin file that is not ours is refused and not changed', () => {
    if (plugin === undefined) throw new Error('no part');
    expect(refused(() => put(plugin, 'export const Mine = 1;\n'))).toMatch(/memd\.js has other content/);
    expect(take(plugin, 'export const Mine = 1;\n')).toBe('export const Mine = 1;\n');
  });

  test.each([
    ['{\n  "a": 1\n  "b": 2\n}', /line 3: a comma is missing/],
    ['{"a": sk-secret}', /line 1: a value is expected/],
    ['{"hooks": {', /line 1: a closing bracket is missing/],
    ['{"a" 1}', /line 1: a colon is missing/],
    ['{a: 1}', /line 1: a value is expected/],
    ['[]', /its content is not an object/],
    ['{"hooks": []}', /"hooks" is not an object/],
    ['{"hooks": {"preToolUse": {}}}', /"hooks"\."preToolUse" is not a list/],
    ['{"hooks": {}} x', /text after the end/],
    [`${'['.repeat(300)}`, /nested too deep/],
  ])('%s is refused without quoting the file', (text, words) => {
    if (hooks === undefined) throw new Error('no part');
    const message = refused(() => put(hooks, text));
    expect(message).toMatch(words);
    expect(message).toContain('/home/ada/.cursor/hooks.json');
    expect(message).not.toContain('secret');
  });

  test('comments are refused where the assistant itself cannot read them', () => {
    const [part] = partsOf('claude-code');
    if (part === undefined) throw new Error('no part');
    expect(refused(() => put(part, '{\n// mine\n}'))).toMatch(/comments or a trailing comma/);
  });

  test.each([
    ['a = "x\n', 1],
    ['a = 1\nnonsense\n', 2],
    ['a = [1,\n', 1],
    ['a = 1\n[x\nb = 2\n', 2],
  ])('TOML %j is refused with its line', (text, line) => {
    if (toml === undefined) throw new Error('no part');
    expect(refused(() => put(toml, text))).toMatch(
      new RegExp(`config\\.toml line ${line}: this is not valid TOML`),
    );
  });
});
