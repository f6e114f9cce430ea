import { expect, test } from 'vitest';
import { many, minutesAgo, work, workBegan } from './calls.ts';
import { blameless, count, Desk, describePage, goTo } from './desk.ts';

describePage('the panels', () => {
  test('counts and the newest memory come in while one looks, without a reload', async () => {
    const desk = await Desk.open();
    const { page, offences } = await desk.page();
    await page.getByText('Nothing is remembered yet.').waitFor();
    await page.evaluate(`document.body.setAttribute('data-same-document', '')`);
    await desk.home.capture({
      tool: 'Bash',
      input: { command: 'make tide' },
      output: 'made',
      toolUseId: 'l1',
    });
    await page.getByText('1 event is captured and not yet summarised.').waitFor();
    await desk.drain();
    await page.locator('.row', { hasText: 'make tide' }).waitFor();
    await desk.remember({ tool: 'Read', input: { file_path: 'moon.ts' }, output: 'full', toolUseId: 'l2' });
    await page.locator('.row', { hasText: 'moon.ts' }).waitFor();

    await goTo(page, '#/health');
    await count(page, 'events', 2);
    await count(page, 'raw', 0);
    await count(page, 'summarized', 2);
    await count(page, 'embeddings', 2);
    await desk.home.capture({ tool: 'Read', input: { file_path: 'sun.ts' }, output: '', toolUseId: 'l3' });
    await count(page, 'raw', 1);
    await page.locator('.reading-rate .figure', { hasText: /^[1-3]$/ }).waitFor();
    expect(await page.locator('body[data-same-document]').count()).toBe(1);
    expect(offences).toEqual(blameless);
  });

  test('a memory opens with its captured call in the form of its tool, and all that the specification names', async () => {
    const desk = await Desk.open();
    await desk.remember(...work);
    const { page, offences } = await desk.page();
    const row = page.locator('.row', { hasText: 'failed' }).first();
    expect(await row.textContent()).toMatch(/ev_[0-9a-f]{8}… · builtin#\d+/);
    await row.click();
    const memory = page.locator('.memory');
    await memory.getByText('standard error').waitFor();
    expect(await memory.locator('.block.command').textContent()).toContain('npm test');
    expect(await memory.locator('.exit').textContent()).toBe('failed, exit 1');
    await memory.getByText('How it is stored').click();
    const facts = await memory.locator('.facts').textContent();
    for (const fact of [
      /source eventev_[0-9a-f]{24}/,
      /modelbuiltin/,
      /embedderdeterministic/,
      /dimension\d+/,
    ]) {
      expect(facts).toMatch(fact);
    }

    await page.locator('.row', { has: page.locator('.family-edit') }).click();
    await memory.locator('.diff').waitFor();
    expect(await memory.locator('.line.removed').textContent()).toContain('highWater = 3');
    expect(await memory.locator('.line.added').textContent()).toContain('highWater = 4');
    await memory.getByRole('button', { name: 'JSON' }).click();
    await memory.locator('.json dt', { hasText: 'file_path' }).waitFor();
    expect(offences).toEqual(blameless);
  });

  test('what was said is marked, is read as text with its turn, and can be filtered', async () => {
    const desk = await Desk.open();
    const turn = { sessionId: 's1', turnId: 't1' };
    const question = 'Which database should the mill use?';
    const prompt = { ...turn, kind: 'message', role: 'user', text: question, ts: '2026-03-01T10:00:00.000Z' };
    const bench = { command: 'npm run bench' };
    await desk.remember(
      prompt,
      { sessionId: 's1', tool: 'Bash', input: bench, output: '3 ms', ts: '2026-03-01T10:01:00.000Z' },
      {
        ...prompt,
        role: 'assistant',
        text: `| Store | Where |\n|---|---|\n| SQLite | near |\n\n---\nSQLite: it is **one** file, \`mill.db\`. See ${'/very/long/path'.repeat(20)}`,
        ts: '2026-03-01T10:02:00.000Z',
      },
    );
    const { page, offences } = await desk.page();
    await page.locator('.row').nth(2).waitFor();
    await page.getByLabel('Kind').selectOption('message');
    await page.locator('.row', { hasText: 'Bash' }).waitFor({ state: 'detached' });
    await page.locator('.row.is-message').nth(1).waitFor();
    expect(await page.locator('.row.is-message').count()).toBe(2);
    // A message is called by one name, and a table is read as a line.
    const tools = await page.getByLabel('Tool', { exact: true }).locator('option').allTextContents();
    expect(tools).toEqual(
      expect.arrayContaining([expect.stringMatching(/^user m/), expect.stringMatching(/^assistant m/)]),
    );
    expect(await page.locator('.row.is-message .row-text').first().textContent()).not.toContain('--|');
    await page.locator('.row', { hasText: 'user message' }).click();
    const memory = page.locator('.memory');
    await memory.locator('.turn-row').nth(2).waitFor();
    expect(await memory.locator('.memory-text').textContent()).toBe(question);
    expect(await memory.locator('.payload').count()).toBe(0);
    await memory.locator('.turn-row', { hasText: 'Bash' }).click();
    await memory.locator('.block.command').waitFor();

    // Found by a search: what was found is marked in the whole message, which is read as Markdown.
    await page.getByLabel('Search the memory').fill('one file mill.db');
    await page.locator('.row', { hasText: 'assistant message' }).click();
    expect(await page.locator('.is-hit.is-message .row-text').first().textContent()).not.toMatch(/---|\| /);
    await memory.locator('.memory-text code mark', { hasText: 'mill.db' }).waitFor();
    expect(await memory.locator('.memory-text strong').textContent()).toBe('one');
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await goTo(page, '#/memories');
    await page.locator('.row').first().waitFor();
    const filters = await page.locator('.filters > *').all();
    const boxes = await Promise.all(filters.map((one) => one.boundingBox()));
    expect(boxes.length).toBe(5);
    expect(new Set(boxes.map((box) => Math.round(box?.y ?? 0))).size).toBe(1);
    for (const box of boxes) expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    expect(offences).toEqual(blameless);
  });

  test('the list goes on to its beginning, keeps few rows in the document, and can be filtered', async () => {
    const desk = await Desk.open();
    await desk.remember(...work, ...many(160));
    const { page, offences } = await desk.page();
    await page.locator('.row').first().waitFor();
    const pane = page.locator('.list-pane');
    const end = page.getByText('No older memories.');
    while (!(await end.isVisible())) {
      await pane.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      await page.evaluate('new Promise(requestAnimationFrame)');
    }
    await page.locator('.row', { hasText: 'tide.ts' }).last().waitFor();
    expect(await page.locator('[data-rows]').count()).toBe(4);
    await expect.poll(() => page.locator('.row').count()).toBeLessThan(164);

    await page.getByLabel('Tool', { exact: true }).selectOption('Bash');
    await expect.poll(() => page.locator('.row').count()).toBe(2);
    await page.getByLabel('Time', { exact: true }).selectOption('1h');
    await expect.poll(() => page.locator('.row').count()).toBe(2);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Session', { exact: true }).selectOption('harbour-session-one');
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    await page.getByLabel('Time', { exact: true }).selectOption('1h');
    await page.getByText('No memory fits these filters.').waitFor();
    expect(new URL(page.url()).hash).toBe('#/memories?session=harbour-session-one&since=1h');
    // The day next to the last hour, then the same by hand.
    await page.locator('p', { hasText: 'Nearest day with sessions' }).locator('a').click();
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Session', { exact: true }).selectOption('harbour-session-one');
    await page.getByLabel('On one day').fill(localDay(workBegan));
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    expect(offences).toEqual(blameless);
  });

  test('what comes while one reads further down waits above', async () => {
    const desk = await Desk.open();
    await desk.remember(...many(60));
    const { page } = await desk.page();
    await page.locator('.row').first().waitFor();
    await page.locator('.list-pane').evaluate((element) => element.scrollTo(0, 900));
    await desk.remember({ tool: 'Bash', input: { command: 'make late' }, output: '', toolUseId: 'late' });
    await page.getByRole('button', { name: '1 new memory' }).click();
    await page.locator('.row', { hasText: 'make late' }).waitFor();
  });

  test('a search as one types, its marks and scores, and why a hit stands there', async () => {
    const desk = await Desk.open();
    await desk.remember(...work);
    const { page, offences } = await desk.page();
    await page.getByLabel('Search the memory').pressSequentially('failing tests tide');
    await page.getByRole('heading', { name: /hits/ }).waitFor();
    await page.locator('.row mark', { hasText: 'tide' }).first().waitFor();
    await expect.poll(() => page.url()).toContain('q=failing+tests+tide');
    const hits = await desk.home.ask({ op: 'search', query: 'failing tests tide' });
    const { id, score } = (hits.hits as readonly { id: number; score: number }[])[0] ?? { id: 0, score: 0 };
    const first = page.locator('.row').first();
    expect(await first.getAttribute('data-row')).toBe(String(id));
    expect(await first.locator('.score').textContent()).toContain(score.toFixed(4));

    await first.click();
    const why = page.locator('.why');
    await why.locator('.sentence', { hasText: 'Rank 1: has ' }).waitFor();
    expect(await why.locator('.equation').textContent()).toContain(` = ${score.toFixed(5)}`);
    expect(await why.locator('.bars tbody tr').count()).toBeGreaterThan(1);
    expect(await why.locator('svg[role=img]').getAttribute('aria-label')).toMatch(
      /^Decay with a half-life of 30/,
    );
    expect(await why.locator('.terms li').count()).toBeGreaterThan(0);

    const found = await page.locator('.row').count();
    await desk.remember({
      tool: 'Read',
      input: { file_path: 'tide-tests.md' },
      output: 'failing',
      toolUseId: 's9',
    });
    await page.locator('.row', { hasText: 'tide-tests.md' }).waitFor();
    expect(await page.locator('.row').count()).toBe(found + 1);

    // A rank is among what the filters let through.
    await goTo(page, '#/memories?q=tests&tool=Read');
    await page.locator('.row', { hasText: 'tide-tests.md' }).click();
    await why.locator('.sentence', { hasText: 'Rank 1: has ' }).waitFor();

    await goTo(page, '#/memories?q=tide+kubernetes');
    await page.getByText('No memory mentions a name in the query. The closest:').waitFor();
    await goTo(page, '#/memories?q=tide+frobnicator.go');
    await page.getByText('No memory has “frobnicator.go”.').waitFor();
    await goTo(page, '#/memories?q=tide+today');
    await page.getByText(/^Only .*: the query has this date\.$/).waitFor();
    await goTo(page, '#/memories?q=zzzz');
    await page.getByText('Nothing found').waitFor();
    expect(offences).toEqual(blameless);
  });

  test('below the best hits of one kind stand the best of the others', async () => {
    const desk = await Desk.open();
    const talk = Array.from({ length: 11 }, (_, at) => ({
      ...{ kind: 'message', role: 'user', sessionId: `s${at}`, ts: minutesAgo(at + 1) },
      text: `${at + 1}. Are the tide tables at quay ${at + 1} right?`,
    }));
    await desk.remember(
      { tool: 'Bash', input: { command: 'make tide tables' }, output: '', toolUseId: 'c1' },
      ...talk,
    );
    const { page, offences } = await desk.page('#/memories?q=what+did+I+ask+about+the+tide+tables');
    await page.getByText('The best 10 hits').waitFor();
    const calls = page.getByRole('region', { name: 'The best calls' });
    await calls.locator('.row', { hasText: 'make tide tables' }).click();
    await page.locator('.memory .block.command').waitFor();
    await calls.getByRole('link', { name: 'more calls' }).click();
    await page.getByText('1 hit').waitFor();
    expect(offences).toEqual(blameless);
  });

  test('what replaced what is a list over time, with the reasons', async () => {
    const desk = await Desk.open();
    await desk.remember(...many(4));
    desk.home.operate('DELETE FROM edges');
    for (const [from, to, kind] of [
      [4, 3, 'supersedes'],
      [3, 2, 'supersedes'],
      [4, 1, 'contradicts'],
    ]) {
      desk.home.operate(
        `INSERT INTO edges VALUES (${from}, ${to}, '${kind}', 'because of ${kind}', '${minutesAgo(1)}')`,
      );
    }
    const { page, offences } = await desk.page('#/memories?open=4');
    const panel = page.locator('.provenance');
    await panel.locator('.course li').nth(3).waitFor();
    expect(await panel.locator('.course-link').allTextContents()).toEqual([
      'contradicts #1: because of contradicts',
      'supersedes #3: because of supersedes',
      'supersedes #2: because of supersedes',
    ]);
    expect(await panel.locator('.is-superseded').count()).toBe(2);
    await panel.getByRole('link', { name: '#3' }).click();
    await page.locator('.notice', { hasText: 'Superseded by' }).waitFor();

    desk.home.operate(`INSERT INTO edges VALUES (3, 1, 'contradicts', 'seen later', '${minutesAgo(0)}')`);
    await desk.remember({ tool: 'Read', input: { file_path: 'new.ts' }, output: 'new', toolUseId: 'g9' });
    await panel.getByText('seen later').waitFor();
    expect(offences).toEqual(blameless);
  });

  test('sessions come into the list while one looks, and open', async () => {
    const desk = await Desk.open();
    await desk.remember(...work);
    const { page } = await desk.page('#/sessions');
    await page.locator('.session').nth(1).waitFor();
    await desk.remember({
      ...work[0],
      toolUseId: 'n1',
      sessionId: 'harbour-session-three',
      ts: minutesAgo(0),
    });
    await page.locator('.session', { hasText: 'running' }).first().waitFor();
    await expect.poll(() => page.locator('.session').count()).toBe(3);
    await page.locator('.session', { hasText: '3 calls' }).click();
    await page.locator('.step').nth(2).waitFor();
    expect(page.url()).toContain('session=harbour-session-two');
  });

  test('the list holds all sessions, each once as it is now, and says when they do not come', async () => {
    const desk = await Desk.open();
    const call = (at: number) => ({
      tool: 'Read',
      input: { file_path: `${at}` },
      output: '',
      sessionId: `s${at}`,
    });
    for (let at = 0; at < 205; at += 1) await desk.home.capture(call(at));
    // An acknowledged call may not be committed yet; each commit would ask again by itself.
    await desk.drain();
    const { page } = await desk.tab();
    await page.route('**/api/sessions?*before=*', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.goto(await desk.address());
    await goTo(page, '#/sessions');
    await page.getByText(/The sessions could not be read/).waitFor();
    await page.unroute('**/api/sessions?*before=*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('205 sessions').waitFor();
    await desk.home.capture({ ...call(0), input: { file_path: 'again' } });
    await desk.home.capture(call(205));
    await page.getByText('206 sessions').waitFor();
    await page.locator('.session', { hasText: '2 calls' }).waitFor();
  });

  test('a linked memory stands in the list, wherever it is', async () => {
    const desk = await Desk.open();
    await desk.remember(...many(120));
    const { page } = await desk.page('#/memories?open=3');
    await page.locator('.row[aria-current="true"][data-row="3"]').waitFor();
    // Also when another memory leads to it.
    await goTo(page, '#/memories?open=60');
    await page.locator('.row[aria-current="true"][data-row="60"]').waitFor();
    await page.getByRole('button', { name: 'Newer memories' }).click();
    await page.locator('.row[data-row="120"]').waitFor();
  });

  test('health shows daemon, backend, embedder, backlog, what was given, spend and warnings', async () => {
    const desk = await Desk.open({}, { topk: 5 });
    await desk.remember(...work);
    const { ids = [] } = await desk.home.ask({ op: 'outline', session: 'later', source: 'startup' });
    await desk.home.ask({ op: 'received', session: 'later', ids });
    const { page } = await desk.page('#/health');
    expect(await page.locator('.panel', { hasText: 'used afterwards' }).textContent()).toMatch(
      /Given.*1 outline, 0 recalls, 0 tool calls.*commands run again/s,
    );
    await page.locator('.gauge', { hasText: 'Summaries by' }).getByText('builtin').waitFor();
    await page
      .locator('.gauge', { hasText: 'Vectors by' })
      .getByText('Every memory has its vector.')
      .waitFor();
    expect(await page.locator('.gauge', { hasText: 'Daemon' }).textContent()).toContain(
      `pid ${desk.home.pid()}`,
    );
    await page.getByText('No model was called').waitFor();
    desk.home.operate('DELETE FROM summary_embeddings');
    await page.getByText('4 memories have no vector yet.').waitFor();
    desk.home.operate(
      `INSERT INTO usage (day, backend, model, calls, input_tokens, output_tokens)
       VALUES (date('now'), 'hosted', 'a-model', 2, 1200, 80)`,
    );
    await page.locator('.usage tbody tr', { hasText: 'a-model' }).waitFor();
    expect(await page.locator('.usage tbody').textContent()).toMatch(/a-model hosted21,200/);
    expect(await page.locator('.warnings').textContent()).toMatch(/topk.*topK/s);
    await page.getByRole('link', { name: /Health.*1 warning/ }).waitFor();
  });
});

/** `YYYY-MM-DD` in the zone of this machine, which is the browser's too. */
function localDay(ts: string): string {
  return new Intl.DateTimeFormat('sv-SE').format(Date.parse(ts));
}
