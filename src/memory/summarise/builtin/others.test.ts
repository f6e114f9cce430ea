import { describe, expect, it } from 'vitest';
import { sampleCall } from '../../../../test/support/calls/sample.ts';
import { draftSummary } from './draft.ts';

describe('reads', () => {
  it('give file, range and declarations', () => {
    const { text } = draftSummary(
      sampleCall(
        'Read',
        { file_path: '/home/dev/shop/src/cart.ts', offset: 10, limit: 3 },
        { type: 'text', file: { content: 'export class Cart {\n  total(): number {\n  }', totalLines: 90 } },
      ),
    );
    expect(text).toBe('Read src/cart.ts lines 10-12 of 90 (3 lines): Cart, total');
  });

  it('take numbered lines, headings and the wrapping of other clients', () => {
    const numbered = draftSummary(
      sampleCall('Read', { file_path: 'README.md' }, '     1→# Shop\n     2→\n     3→## Running it\n'),
    );
    expect(numbered.text).toBe('Read README.md (3 lines): Shop, Running it');
    const opencode = draftSummary(
      sampleCall(
        'read',
        { filePath: 'a.ts' },
        {
          output:
            '<path>/home/dev/shop/a.ts</path>\n<type>file</type>\n<content>\n1: const port = 81;\n</content>',
        },
      ),
    );
    expect(opencode.text).toContain('port');
  });

  it('say when a file is not there', () => {
    const { text } = draftSummary(
      sampleCall('view', { path: '/home/dev/shop/no.ts' }, 'Path does not exist', { isError: true }),
    );
    expect(text).toBe('failed: read of no.ts: Path does not exist');
  });
});

describe('searches', () => {
  it('give pattern, place, number and the first results', () => {
    const { text } = draftSummary(
      sampleCall(
        'Grep',
        { pattern: 'retryAfter', path: '/home/dev/shop/src', glob: '*.ts' },
        'src/a.ts:3:retryAfter()\nsrc/a.ts:9:retryAfter()\nsrc/b.ts:4:retryAfter',
      ),
    );
    expect(text).toBe(
      'Searched for `retryAfter` in src (*.ts): 3 found in 2 files: src/a.ts:3:retryAfter() | src/a.ts:9:retryAfter() | src/b.ts:4:retryAfter',
    );
  });

  it('say when nothing was found', () => {
    const { text } = draftSummary(
      sampleCall('Glob', { pattern: '**/*.sql' }, { filenames: [], numFiles: 0 }),
    );
    expect(text).toBe('Looked for files `**/*.sql`: nothing found.');
  });

  it('list the titles of a web search', () => {
    const output =
      'Web search results for query: "x"\n\nLinks: [{"title":"Backing up SQLite","url":"https://example.org"}]\n\nUse the online backup API.';
    const { text } = draftSummary(sampleCall('WebSearch', { query: 'sqlite live backup' }, output));
    expect(text).toBe(
      'Searched the web for `sqlite live backup`: 1 result: “Backing up SQLite”. Use the online backup API.',
    );
  });

  it('read a web search of the hook: results as objects, then their summary', () => {
    const content = ['Tides', 'Pilots', 'Berths'].map((name) => ({
      title: `${name} | Harbour almanac`,
      url: `https://example.org/${name}`,
    }));
    const output = { query: 'tides', results: [{ tool_use_id: 'x', content }, 'High water is at six.'] };
    const { text, terms } = draftSummary(sampleCall('WebSearch', { query: 'tides' }, output));
    expect(text).toBe(
      'Searched the web for `tides`: 3 results: “Tides | Harbour almanac”, “Pilots | Harbour almanac”, “Berths | Harbour almanac”. High water is at six.',
    );
    for (const word of ['Pilots', 'almanac', 'water']) expect(terms).toContain(word);
    const none = draftSummary(sampleCall('WebSearch', { query: 'tides' }, { query: 'tides', results: [] }));
    expect(none.text).toBe('Searched the web for `tides`: nothing found.');
  });
});

describe('pages, helpers, plans, questions, servers', () => {
  it('give page, purpose and answer', () => {
    const { text } = draftSummary(
      sampleCall(
        'WebFetch',
        { url: 'https://example.org/wal', prompt: 'Is a checkpoint needed?' },
        '# Result\nNo: it runs by itself after 1000 pages.',
      ),
    );
    expect(text).toBe(
      'Fetched https://example.org/wal for “Is a checkpoint needed?”: No: it runs by itself after 1000 pages.',
    );
  });

  it("give a subagent's task and its conclusion", () => {
    const { text } = draftSummary(
      sampleCall(
        'Task',
        {
          description: 'Find the leak',
          prompt: 'Find what keeps sockets open. Look in src.',
          subagent_type: 'Explore',
        },
        {
          status: 'completed',
          content: [
            { type: 'text', text: 'I have looked.\n## Conclusion\nThe pool never closes idle sockets.' },
          ],
        },
      ),
    );
    expect(text).toBe(
      'Explore agent (Find the leak) asked: “Find what keeps sockets open.” Result: The pool never closes idle sockets.',
    );
  });

  it('give the steps in progress and done', () => {
    const todos = [
      { content: 'Write the migration', status: 'completed' },
      { content: 'Run it on a copy', status: 'in_progress' },
      { content: 'Inform support', status: 'pending' },
    ];
    expect(draftSummary(sampleCall('TodoWrite', { todos }, 'ok')).text).toBe(
      'Plan (1 of 3 done): in progress: Run it on a copy; done: Write the migration; next: Inform support',
    );
    const plan = [{ step: 'Measure', status: 'in_progress' }];
    expect(draftSummary(sampleCall('update_plan', { plan }, '')).text).toBe(
      'Plan (0 of 1 done): in progress: Measure',
    );
  });

  it('give a question with its answer as a decision', () => {
    const { text } = draftSummary(
      sampleCall(
        'AskUserQuestion',
        { questions: [{ question: 'Which store?', options: [{ label: 'SQLite' }, { label: 'Redis' }] }] },
        'User has answered your questions: "Which store?"="SQLite". You can now continue.',
      ),
    );
    expect(text).toBe('Decision: SQLite. Asked the user: Which store? (offered: `SQLite`, `Redis`)');
    const codex = sampleCall(
      'request_user_input',
      { questions: [{ id: 'store', question: 'Which store?' }] },
      JSON.stringify({ answers: { store: { answers: ['SQLite'] } } }),
    );
    expect(draftSummary(codex).text).toBe('Decision: SQLite. Asked the user: Which store?');
    const closed = { ...codex, output: JSON.stringify({ answers: {} }) };
    expect(draftSummary(closed).text).toBe('Decision: no answer. Asked the user: Which store?');
    const reasons = 'It needs no server. '.repeat(12).trim();
    const long = { ...codex, output: `"Which store?"="${reasons}"` };
    expect(draftSummary(long).text).toContain(`Decision: ${reasons}. Asked`);
  });

  it('give the important arguments and parts of the answer of a server tool', () => {
    const { text, terms } = draftSummary(
      sampleCall(
        'mcp__tracker__create_issue',
        { title: 'Cart loses lines', body: 'After a restart.' },
        '{"id":"9f","identifier":"SHOP-12","state":"open"}',
      ),
    );
    expect(text).toBe(
      'Called tracker create_issue with title “Cart loses lines”, body “After a restart.”. Answer: identifier “SHOP-12”, state “open”',
    );
    expect(terms).toContain('restart');
  });

  it('read an answer whose JSON was cut', () => {
    const { text } = draftSummary(
      sampleCall(
        'mcp__tracker__get',
        { id: 'SHOP-12' },
        '{"identifier":"SHOP-12","title":"Cart loses lines","body":"abc',
      ),
    );
    expect(text).toContain('title “Cart loses lines”');
  });
});
