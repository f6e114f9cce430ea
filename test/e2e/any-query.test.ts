import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { read } from '../../src/surfaces/cli/replies.ts';
import { closeHomes, Home, leftBehind } from '../support/home.ts';

let home: Home;

const traces = {
  node: `TypeError: Cannot read properties of undefined (reading 'total')
    at OrderService.sum (/app/src/orders/service.ts:88:31)
    at OrderController.show (/app/src/orders/controller.ts:41:22)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
    at async Server.handle (/app/src/http/server.ts:19:5)`,
  python: `Traceback (most recent call last):
  File "/app/jobs/nightly.py", line 54, in <module>
    main()
  File "/app/jobs/nightly.py", line 31, in main
    rows = load_rates(day)
  File "/app/jobs/rates.py", line 12, in load_rates
    return parse(fetch(day))
ValueError: time data '2026-02-30' does not match format '%Y-%m-%d'`,
  go: `panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x4a2f10]

goroutine 1 [running]:
main.(*Agent).flush(0x0)
	/app/cmd/agent/flush.go:27 +0x30
main.main()
	/app/cmd/agent/main.go:61 +0x1d4
exit status 2`,
  java: `Exception in thread "main" java.util.concurrent.CompletionException: java.net.SocketTimeoutException: Read timed out
	at java.base/java.util.concurrent.CompletableFuture.encodeThrowable(CompletableFuture.java:315)
	at com.example.billing.InvoiceClient.fetch(InvoiceClient.java:73)
	at com.example.billing.Main.main(Main.java:20)
Caused by: java.net.SocketTimeoutException: Read timed out
	... 3 more`,
};

/** Those whose command was run again and worked. */
const passedSince = new Set(['python', 'java']);

beforeAll(async () => {
  home = Home.open({ env: { MEMD_DRAIN_BACKEND: 'builtin' } });
  await home.start();
  let at = 0;
  const capture = (toolUseId: string, tool: string, input: JsonObject, output: string, isError = false) =>
    home.capture({
      tool,
      sessionId: `s${Math.floor(at / 8)}`,
      input,
      output,
      isError,
      toolUseId,
      ts: new Date(Date.UTC(2026, 0, 10, 12, at++)).toISOString(),
    });
  const files = [
    'orders/service.ts',
    'orders/controller.ts',
    'jobs/rates.py',
    'cmd/agent/flush.go',
    'InvoiceClient.java',
  ];
  for (const [name, trace] of Object.entries(traces)) {
    for (const file of files) {
      await capture(
        `${name}-${file}`,
        'Read',
        { file_path: `/app/src/${file}` },
        'export class OrderService { sum() {} }',
      );
    }
    await capture(
      name,
      'Bash',
      { command: `make run-${name}` },
      `starting\nloading config\n${trace}\n`,
      true,
    );
    if (passedSince.has(name))
      await capture(
        `${name}-after`,
        'Bash',
        { command: `make run-${name}` },
        'starting\nloading config\ndone\n',
      );
    await capture(
      `${name}-edit`,
      'Edit',
      { file_path: `/app/${name}/main.txt`, old_string: 'a', new_string: 'b' },
      'edited',
    );
  }
  expect(await home.memd(['drain'])).toMatchObject({ code: 0 });
});
afterAll(async () => {
  await closeHomes();
  expect(leftBehind()).toEqual([]);
});

async function idsFor(query: string): Promise<(string | null)[]> {
  return read('search', await home.ask({ op: 'search', query })).hits.map(({ toolUseId }) => toolUseId);
}

describe('a stack trace pasted whole', () => {
  test.each(Object.entries(traces))(
    'of %s finds the call that produced it, under nothing but the run that passes since',
    async (name, trace) => {
      const found = passedSince.has(name) ? [`${name}-after`, name] : [name];
      expect((await idsFor(trace)).slice(0, found.length)).toEqual(found);
      const asked = `why do I get this?\n\n\`\`\`\n${trace}\n\`\`\`\n`;
      expect((await idsFor(asked)).slice(0, found.length)).toEqual(found);
    },
  );

  test('is found by its last line alone', async () => {
    expect((await idsFor("ValueError: time data '2026-02-30' does not match format")).slice(0, 2)).toContain(
      'python',
    );
  });
});

test.each([
  ['nothing', ''],
  ['spaces', ' \t\n '],
  ['10 kB of words', 'session refresh token race '.repeat(380)],
  ['a megabyte of words', 'session refresh token race '.repeat(40_000)],
  ['10 kB without a space', 'x'.repeat(10_240)],
  ['stop words alone', 'the of and to a in is it'],
  ['a quote that stays open', '"flush agent'],
  ['quotes in quotes', '"""flush" "'],
  ['the word NEAR', 'NEAR(flush agent, 2)'],
  ['operators', 'flush AND OR NOT agent'],
  ['stars', '* ** flush*'],
  ['a column', 'text:flush terms : agent nosuch:column'],
  ['brackets and carets', '^flush (agent) {x} [y] \\ \u0000 ; -- DROP TABLE summaries'],
  ['emoji', '🧠🚀 👩‍👩‍👧‍👦'],
  ['Chinese', '数据库连接超时'],
  ['right to left', '\u202eabc שלום مرحبا'],
  ['half a surrogate pair', '\ud83d flush'],
  ['a path', '/app/cmd/agent/flush.go:27'],
  ['the start of a hash', '4a2f10'],
])('%s is a query', async (_name, query) => {
  expect(await home.ask({ op: 'search', query })).toMatchObject({ ok: true, hits: expect.any(Array) });
});

test('140 kB of it is a query for the command, in more words than one', async () => {
  const half = 'session refresh token race '.repeat(2_600);
  const ran = await home.mem(['search', '--json', half, half]);
  const stderr = expect.stringMatching(/^no memory matches "session .{1,300}\n$/);
  expect(ran).toMatchObject({ code: 0, stderr });
  expect(JSON.parse(ran.stdout)).toMatchObject({ hits: [] });
});
