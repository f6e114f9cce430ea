import { describe, expect, it } from 'vitest';
import { sampleCall } from '../../../../test/support/calls/sample.ts';
import { draftSummary } from './draft.ts';

describe('commands', () => {
  it('gives description, command and the count of a test runner', () => {
    const { text } = draftSummary(
      sampleCall(
        'Bash',
        { command: 'cd /home/dev/shop && npm test 2>&1 | tail -30', description: 'Run the unit tests' },
        { stdout: ' ✓ src/cart.test.ts (4 tests)\n Tests  41 passed (41)\n', stderr: '', interrupted: false },
      ),
    );
    expect(text).toBe('Run the unit tests: `npm test`. Tests 41 passed (41) | 1 ok');
  });

  it('leaves out which script a runner begins, and finds by it', () => {
    const output = '\n> shop@1.0.0 check-types /home/dev/shop\n> tsc --noEmit\n';
    const { text, terms } = draftSummary(sampleCall('Bash', { command: 'pnpm check-types' }, output));
    expect(text).toBe('Ran `pnpm check-types`. No complaint.');
    expect(terms).toContain('tsc');
  });

  it('says failed first, with the exit code, the failing test and the error with its place', () => {
    const { text, terms } = draftSummary(
      sampleCall(
        'Bash',
        { command: 'npx vitest run src/cart.test.ts' },
        'Exit code 1\n FAIL  src/cart.test.ts > adds a line twice\nAssertionError: expected 3 to be 2\n ❯ src/cart.test.ts:41:7\nTests  1 failed | 40 passed (41)\n',
        { isError: true },
      ),
    );
    expect(text).toMatch(/^failed: Ran `npx vitest run src\/cart\.test\.ts` \(exit 1\)\. FAIL/);
    expect(text).toContain('AssertionError: expected 3 to be 2');
    expect(text).toContain('src/cart.test.ts:41:7');
    expect(terms).toContain('vitest');
  });

  it('keeps the error code and the port of a refused connection', () => {
    const { text } = draftSummary(
      sampleCall(
        'run_shell_command',
        { command: 'node migrate.js' },
        {
          llmContent:
            'Command: node migrate.js\nDirectory: (root)\nOutput: Error: connect ECONNREFUSED 127.0.0.1:5433\nError: (none)\nExit Code: 7\nSignal: (none)',
          returnDisplay: '',
        },
      ),
    );
    expect(text).toBe('failed: Ran `node migrate.js` (exit 7). Error: connect ECONNREFUSED 127.0.0.1:5433');
  });

  it('reads the exit code that Copilot puts last and the one that OpenCode keeps outside the text', () => {
    const copilot = draftSummary(
      sampleCall(
        'bash',
        { command: 'make lint' },
        {
          resultType: 'success',
          textResultForLlm: 'lint.mk: missing rule\n<shellId: 3 completed with exit code 2>',
        },
      ),
    );
    expect(copilot.text).toBe('failed: Ran `make lint` (exit 2). lint.mk: missing rule');
    const opencode = draftSummary(
      sampleCall(
        'bash',
        { command: 'make lint' },
        { title: 'lint', output: 'done\n', metadata: { exit: 0 } },
      ),
    );
    expect(opencode.text).toBe('Ran `make lint`. done');
  });

  it("takes the script out of Codex's list", () => {
    const { text } = draftSummary(
      sampleCall(
        'shell',
        { command: ['bash', '-lc', 'cargo build'] },
        'Exit code: 0\nWall time: 1 seconds\nOutput:\n',
      ),
    );
    expect(text).toBe('Ran `cargo build`. No output.');
  });

  it('finds the subject of a commit, given by a here-document or by an option, and its hash and branch', () => {
    const command =
      'git add -A && git commit -m "$(cat <<\'EOF\'\nDrop redis from the cart service\n\nSessions are in SQLite.\nEOF\n)"';
    const { text, terms } = draftSummary(
      sampleCall(
        'Bash',
        { command },
        '[main 1a2b3c4] Drop redis from the cart service\n 2 files changed, 3 insertions(+), 90 deletions(-)\n',
      ),
    );
    expect(text).toBe(
      'Commit “Drop redis from the cart service”: `git add -A && git commit`. Sessions are in SQLite. [main 1a2b3c4] | 2 files changed, 3 insertions(+), 90 deletions(-)',
    );
    expect(terms).toContain('SQLite');
    const option = draftSummary(sampleCall('Bash', { command: "git commit -am 'Pin node to 20.12'" }, ''));
    expect(option.text).toBe('Commit “Pin node to 20.12”: `git commit`. No output.');
  });

  it.each([
    [
      'further options',
      'git commit -m "Pin node" -m "Version 22 breaks e.g. the build. Later more." && git push',
      'Commit “Pin node”: `git commit && git push`. Version 22 breaks e.g. the build.',
    ],
    [
      'a here-document on stdin, with a list and a trailer',
      "git commit -F - <<'END'\nPin node\n\n- 22 breaks\n  the build\n- more\n\nSigned-off-by: A <a@example.org>\nEND",
      'Commit “Pin node”: `git commit`. 22 breaks the build',
    ],
    [
      'a here-document after one that is a file',
      "cat > a.txt <<'A'\nnot this\nA\ngit commit -m \"$(cat <<'B'\nPin node\nB\n)\"",
      "Commit “Pin node”: `cat > a.txt <<'A'; git commit`.",
    ],
    ['the editor', 'git commit --amend', 'Ran `git commit --amend`.'],
    ['somebody who only talks of it', 'echo "git commit -m \'x\'"', 'Ran `echo "git commit -m \'x\'"`.'],
  ])('reads a commit message given by %s', (_, command, begins) => {
    const { text } = draftSummary(sampleCall('Bash', { command }, 'done'));
    expect(text.slice(0, begins.length)).toBe(begins);
  });

  it('counts the description among the terms, as it is what the command was for', () => {
    const { terms } = draftSummary(
      sampleCall('Bash', { command: 'node fix.mjs', description: 'Repair the tide table' }, ''),
    );
    expect(terms).toMatch(/^Repair tide table node fix\.mjs/);
  });

  it('reads a table by its cells, whatever is drawn around them', () => {
    const drawn =
      '┌────┬───────┐\n│ id │ name  │\n├────┼───────┤\n│ 7  │ Lotse │\n└────┴───────┘\n+----+\n| n  |\n+----+\n|---|:--|\n';
    const { text } = draftSummary(sampleCall('Bash', { command: 'sqlite3 -box a.db' }, drawn));
    expect(text).toBe('Ran `sqlite3 -box a.db`. id, name | 7, Lotse | n');
  });

  it('reads a log of JSON lines as a log: errors first, then warnings, by their messages', () => {
    const log = [
      '> shop@1.0.0 start',
      '{"level":30,"time":1,"pid":7,"msg":"listening","port":81}',
      '{"level":30,"time":2,"pid":7,"msg":"incoming request","req":{"url":"/ready"},"statusCode":200}',
      '{"level":30,"time":3,"pid":7,"msg":"incoming request","req":{"url":"/cart"}}',
      '{"level":40,"time":4,"pid":7,"msg":"slow query"}',
      '{"level":50,"time":5,"pid":7,"msg":"cart is gone","err":{"type":"TypeError","message":"no cart"}}',
    ].join('\n');
    const { text } = draftSummary(sampleCall('Bash', { command: 'node server.js' }, log));
    expect(text).toBe(
      'Ran `node server.js`. warning: slow query | error: cart is gone type=TypeError message “no cart”',
    );
    const calm = draftSummary(
      sampleCall('Bash', { command: 'node server.js' }, log.split('\n').slice(1, 3).join('\n')),
    );
    expect(calm.text).toBe(
      'Ran `node server.js`. listening port=81 | incoming request url=/ready statusCode=200',
    );
  });

  it('reads a listing of JSON lines line by line, and one object alone as an answer', () => {
    const rows =
      '{"conclusion":"success","name":"lint","id":"0b6f3a52-1111-4222-8333-444455556666"}\n{"conclusion":"failure","name":"unit tests"}';
    const listing = draftSummary(sampleCall('Bash', { command: 'gh api jobs' }, rows));
    expect(listing.text).toBe('Ran `gh api jobs`. conclusion=failure name “unit tests”');
    const one = draftSummary(sampleCall('Bash', { command: 'curl a' }, '{"status":"paid","amount":3}'));
    expect(one.text).toBe('Ran `curl a`. status “paid”');
  });

  it('finds the failure in the log of a CI job behind job, step and time', () => {
    const at = (line: string): string => `unit\tRun npm test\t2026-03-04T05:06:07.1234567Z ${line}`;
    const log = [
      `unit\tRun npm test\t\ufeff2026-03-04T05:06:07.1234567Z ##[group]Run npm test`,
      at('shell: /usr/bin/bash -e {0}'),
      at(' FAIL  src/cart.test.ts > adds a line twice'),
      at('AssertionError: expected 3 to be 2'),
      at('##[error]Process completed with exit code 1.'),
    ].join('\n');
    const { text } = draftSummary(sampleCall('Bash', { command: 'gh run view 7 --log-failed' }, log));
    expect(text).toBe(
      'Ran `gh run view 7 --log-failed`. FAIL src/cart.test.ts > adds a line twice | AssertionError: expected 3 to be 2',
    );
  });

  it('drops colours, progress bars and download noise', () => {
    const output =
      'Downloading crates ...\n\u001b[32m[=====>              ] 20%\r[====================] 100%\u001b[0m\n\u001b[1;31merror[E0308]\u001b[0m: mismatched types\n';
    const { text } = draftSummary(sampleCall('Bash', { command: 'cargo check' }, output));
    expect(text).toBe('Ran `cargo check`. error[E0308]: mismatched types');
  });

  it('describes a diff by its files and declarations', () => {
    const output =
      'diff --git a/src/cart.ts b/src/cart.ts\nindex 1..2 100644\n--- a/src/cart.ts\n+++ b/src/cart.ts\n@@ -1,2 +1,3 @@\n const a = 1;\n+export function totalOf(cart: Cart) {\n-const b = 2;\n';
    const { text } = draftSummary(sampleCall('Bash', { command: 'git diff' }, output));
    expect(text).toBe('Ran `git diff`. Differences in 1 file: src/cart.ts +1 -1 (totalOf, b)');
  });

  it('gives the number of tests that all passed, not their output', () => {
    const output =
      'src/cart.test.ts:\n[Cart] Error in POST /cart: 12 | throw new Error("no cart");\nerror: no cart\n\n 41 pass\n 0 fail\n 90 expect() calls\n';
    const { text } = draftSummary(sampleCall('Bash', { command: 'bun test | tail -9' }, output));
    expect(text).toBe('Ran `bun test`. 41 pass | 0 fail');
    const go = 'ok  \tshop/cart\t0.2s\ncart_test.go:12: error: expected in the log\nok  \tshop/tax\t0.1s\n';
    expect(draftSummary(sampleCall('Bash', { command: 'go test -v ./...' }, go)).text).toBe(
      'Ran `go test -v ./...`. 2 ok.',
    );
  });

  it('describes a commit, not the output of its hooks', () => {
    const output =
      'error: cart is gone\n 41 pass\n[main 1a2b3c4] Pin node\n 2 files changed, 3 insertions(+)\n';
    expect(draftSummary(sampleCall('Bash', { command: 'git commit -m "Pin node"' }, output)).text).toBe(
      'Commit “Pin node”: `git commit`. [main 1a2b3c4] | 2 files changed, 3 insertions(+)',
    );
  });

  it('keeps the file and the rule that a linter puts into a heading', () => {
    const output =
      'src/cart.ts:3:7 lint/style/useConst ━━━━━━━━━━━━━━━━━━━━\n\n  × This let is never assigned again.\n\n    3 │ let price = 1;\n\nFound 1 error.\n';
    const { text } = draftSummary(sampleCall('Bash', { command: 'biome lint' }, output, { isError: true }));
    expect(text).toBe(
      'failed: Ran `biome lint`. src/cart.ts:3:7 lint/style/useConst | × This let is never assigned again. | Found 1 error.',
    );
  });

  it('reads a listing by its names, and the total of changes before their places', () => {
    const listing =
      'total 8\ndrwxr-xr-x  3 dev dev 4096 Mar  4 05:06 .\ndrwxr-xr-x  3 dev dev 4096 Mar  4 05:06 src\n-rw-r--r--@ 1 dev dev  12K Mar  4  2025 my notes.md\n';
    expect(draftSummary(sampleCall('Bash', { command: 'ls -la' }, listing)).text).toBe(
      'Ran `ls -la`. 2 entries: src/, my notes.md',
    );
    const stat =
      ' src/a.ts | 12 ++++++------\n src/b.ts |  1 +\n 2 files changed, 7 insertions(+), 6 deletions(-)\n';
    expect(draftSummary(sampleCall('Bash', { command: 'git diff --stat' }, stat)).text).toBe(
      'Ran `git diff --stat`. 2 files changed, 7 insertions(+), 6 deletions(-): src/a.ts | 12 | src/b.ts | 1',
    );
  });

  it('gives the beginning of a script or a text on stdin, and keeps quoted lines together', () => {
    const fed = "python3 - <<'END'\nimport re\n# Puts the tide table in order.\nprint(1)\nEND";
    expect(draftSummary(sampleCall('Bash', { command: fed }, 'done')).text).toBe(
      "Ran `python3 - <<'END'` “Puts the tide table in order.”. done",
    );
    const quoted = 'python3 -c "\nimport re\nprint(1)\n" && echo "---" && cat a.txt';
    expect(draftSummary(sampleCall('Bash', { command: quoted }, 'done')).text).toBe(
      'Ran `python3 -c " import re print(1) " && cat a.txt`. done',
    );
  });

  it('does not take what begins with a bracket for JSON', () => {
    const output = '[test] $ go test ./...\n[test] cart is fine\n';
    expect(draftSummary(sampleCall('Bash', { command: 'task tide' }, output)).text).toBe(
      'Ran `task tide`. [test] cart is fine',
    );
  });

  it('says when a check had nothing to complain of, and when a call never ran', () => {
    expect(draftSummary(sampleCall('Bash', { command: 'npm run typecheck' }, '$ tsc --noEmit\n')).text).toBe(
      'Ran `npm run typecheck`. No complaint.',
    );
    const { text } = draftSummary(
      sampleCall(
        'Bash',
        { command: 'npm test' },
        '<tool_use_error>Sibling tool call errored</tool_use_error>',
        {
          isError: true,
        },
      ),
    );
    expect(text).toBe('not run: Ran `npm test`; a parallel call had failed');
  });

  it.each(['command', 'cmd', 'script'])('reads the words of a command, given as a list under %s', (name) => {
    const { text } = draftSummary(sampleCall('shell', { [name]: ['bash', '-lc', 'mill --fast'] }, 'ground'));
    expect(text).toBe('Ran `mill --fast`. ground');
  });
});
