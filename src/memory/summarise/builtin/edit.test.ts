import { describe, expect, it } from 'vitest';
import { sampleCall } from '../../../../test/support/calls/sample.ts';
import { draftSummary } from './draft.ts';

describe('edits', () => {
  it('gives a one-line change as before and after, with the path inside the workspace', () => {
    const { text, terms } = draftSummary(
      sampleCall(
        'Edit',
        {
          file_path: '/home/dev/shop/src/report.ts',
          old_string: "const mode = 'terminal';",
          new_string: "const mode = 'json';",
        },
        'The file has been updated.',
      ),
    );
    expect(text).toBe("Edited src/report.ts: `const mode = 'terminal';` -> `const mode = 'json';`");
    for (const word of ['home/dev/shop/src/report.ts', 'mode', 'terminal', 'json'])
      expect(terms).toContain(word);
  });

  it('names the symbol around the change, what came, what went and the first comment', () => {
    const before = 'function checkout(cart) {\n  const client = redisClient();\n  save(cart);\n}';
    const after =
      'function checkout(cart) {\n  // Sessions live in SQLite now, redis lost them on restart.\n  const store = openSessionStore();\n  store.keepCart(cart);\n  save(cart);\n}';
    const { text } = draftSummary(
      sampleCall(
        'Edit',
        { file_path: '/home/dev/shop/src/cart.js', old_string: before, new_string: after },
        '',
      ),
    );
    expect(text).toBe(
      'Edited src/cart.js in checkout: +3 -1 lines; added openSessionStore, store.keepCart; removed redisClient; “Sessions live in SQLite now, redis lost them on restart.”',
    );
  });

  it("takes the symbol from the client's own patch when the change does not show it", () => {
    const { text } = draftSummary(
      sampleCall(
        'Edit',
        { file_path: '/home/dev/shop/a.go', old_string: 'return 1', new_string: 'return 2' },
        {
          structuredPatch: [{ lines: [' func (c *Cart) Total() int {', '-\treturn 1', '+\treturn 2', ' }'] }],
        },
      ),
    );
    expect(text).toBe('Edited a.go in Total: `return 1` -> `return 2`');
  });

  it('outlines a new file', () => {
    const content =
      '/** Prices in cents. */\nexport interface Price { cents: number }\nexport function addTax(price: Price) {}\n';
    const { text } = draftSummary(
      sampleCall('write_file', { file_path: '/home/dev/shop/price.ts', content }, 'ok'),
    );
    expect(text).toBe('Created price.ts (3 lines): Price, addTax; “Prices in cents.”');
  });

  it.each([
    [
      'a sentence over two lines is complete',
      '// The pool closes what nobody has used for a while, or\n// it would run out. More.\nconst idleMs = 9;',
      '“The pool closes what nobody has used for a while, or it would run out.”',
    ],
    [
      'of a line that begins a second sentence only the first',
      '/**\n * Closes idle sockets. It looks for them every time that a\n * new one is opened.\n */\nconst idleMs = 9;',
      '“Closes idle sockets.”',
    ],
    [
      'another remark is no rest of it',
      '// Idle time\n// Milliseconds, as everywhere.\nconst idleMs = 9;',
      '“Idle time”',
    ],
    [
      'a tag and a list are no rest of it',
      '/**\n * Closes idle sockets of a pool that may have been left open by\n * @param pool that pool\n */\nconst idleMs = 9;',
      '“Closes idle sockets of a pool that may have been left open by”',
    ],
    [
      'a sentence without end is cut, and says so',
      `${'// and on it goes with words and words and words and words and so forth\n'.repeat(7)}const idleMs = 9;`,
      '…”',
    ],
  ])('of a comment over several lines: %s', (_, content, remark) => {
    const { text } = draftSummary(sampleCall('Write', { file_path: 'pool.ts', content }, 'ok'));
    expect(text).toContain(`idleMs; `);
    expect(text.endsWith(remark)).toBe(true);
  });

  it('reads several edits of one file, a notebook cell, and the other clients names', () => {
    const multi = draftSummary(
      sampleCall(
        'MultiEdit',
        {
          file_path: 'a.py',
          edits: [
            { old_string: 'x = 1', new_string: 'x = 2' },
            { old_string: 'y', new_string: 'retries = 5' },
          ],
        },
        '',
      ),
    );
    expect(multi.terms).toContain('retries');
    const cell = draftSummary(
      sampleCall('NotebookEdit', { notebook_path: 'n.ipynb', new_source: 'plot(losses)' }, ''),
    );
    expect(cell.text).toBe('Edited n.ipynb: added `plot(losses)`');
    const opencode = draftSummary(
      sampleCall('edit', { filePath: 'a.ts', oldString: 'on', newString: 'off' }, {}),
    );
    expect(opencode.text).toBe('Edited a.ts: `on` -> `off`');
  });

  it.each([
    ['an argument', 'apply_patch', (patch: string) => ({ command: patch })],
    ['a bare text', 'apply_patch', (patch: string) => patch],
    ['a shell list', 'shell', (patch: string) => ({ command: ['apply_patch', patch] })],
  ])('reads a patch given as %s', (_, tool, inputOf) => {
    const patch =
      '*** Begin Patch\n*** Update File: src/port.ts\n@@ export function listen() {\n-  bind(8080);\n+  bind(9090);\n*** Add File: docs/ports.md\n+# Ports\n+The service listens on 9090.\n*** Delete File: old.ts\n*** End Patch\n';
    const { text } = draftSummary(sampleCall(tool, inputOf(patch), 'Success. Updated the following files'));
    expect(text).toBe(
      'Patched 3 files: src/port.ts in listen: `bind(8080);` -> `bind(9090);`; docs/ports.md (2 lines): Ports; “The service listens on 9090.”; old.ts',
    );
  });

  it('says why an edit failed', () => {
    const { text } = draftSummary(
      sampleCall(
        'replace',
        { file_path: '/home/dev/shop/a.ts', old_string: 'a', new_string: 'b' },
        '<tool_use_error>String to replace not found in file.</tool_use_error>',
        { isError: true },
      ),
    );
    expect(text).toBe('failed: edit of a.ts: String to replace not found in file.');
  });
});
