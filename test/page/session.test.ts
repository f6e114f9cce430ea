import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '#core/event';
import { violations } from './axe.ts';
import { minutesAgo } from './calls.ts';
import { blameless, Desk, describePage, goTo } from './desk.ts';

const sessionId = 'mill-session';
const said = (role: 'user' | 'assistant', text: string, minutes: number): JsonObject => ({
  kind: 'message',
  role,
  text,
  sessionId,
  turnId: `t${Math.floor(minutes / 100)}`,
  ts: minutesAgo(minutes),
});
const ran = (command: string, exitCode: number, stdout: string, minutes: number): JsonObject => ({
  tool: 'Bash',
  input: { command },
  output: { stdout, stderr: '', exitCode },
  isError: exitCode !== 0,
  sessionId,
  toolUseId: `c${minutes}`,
  ts: minutesAgo(minutes),
});
const edited = (path: string, before: string, after: string, minutes: number): JsonObject => ({
  tool: 'Edit',
  input: { file_path: path, old_string: before, new_string: after },
  output: 'ok',
  sessionId,
  toolUseId: `c${minutes}`,
  ts: minutesAgo(minutes),
});

/** Two requests: a failing test, two edits of one line, the test that passes, a commit; then a question. */
const session: readonly JsonObject[] = [
  said('user', 'The mill counts **too few** sacks. Find out why and repair it.', 290),
  ran('npm test', 1, 'FAIL  src/mill.test.ts > counts sacks\nAssertionError: expected 3 to be 4', 280),
  said('assistant', 'The test shows it: the loop ends too early.', 275),
  edited('src/mill.ts', 'sacks = 3;', 'sacks = 5;', 270),
  edited('src/mill.ts', 'sacks = 5;', 'sacks = 4;', 260),
  ran('npm test', 0, 'Tests  12 passed (12)', 250),
  ran('git commit -am "Count the last sack too"', 0, '[main 1234567] Count the last sack too', 240),
  said('assistant', 'Repaired:\n\n- the loop counts the last sack\n- all 12 tests pass', 235),
  said('user', 'Which other loops end like that?', 190),
  { ...ran('x', 0, '', 180), tool: 'Grep', input: { pattern: 'sacks - 1' }, output: 'src/cart.ts:4' },
  said('assistant', 'Only the one in `src/cart.ts`.', 170),
];

/** A repository with a file that no commit has. Returns git in it. */
function repository(folder: string, file: string): (...args: string[]) => void {
  const by = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const git = (...args: string[]) =>
    void execFileSync('git', [...by, ...args], { cwd: folder, stdio: 'ignore' });
  if (!fs.existsSync(path.join(folder, '.git'))) git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'Begin');
  fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  fs.writeFileSync(path.join(folder, file), 'sacks = 4;\nash\n');
  return git;
}

describePage('a session', () => {
  test('is one column: what was wanted, what came of it, and every call in a line that opens in its place', async () => {
    const desk = await Desk.open();
    await desk.remember(...session);
    const { page, offences } = await desk.page('#/sessions');
    await page.locator('.session', { hasText: 'Count the last sack too' }).click();
    const head = page.locator('.session-head');
    await head.getByText('passed').waitFor();
    await head.locator('.changed-file', { hasText: '+1' }).waitFor();
    expect(await head.textContent()).toMatch(/src\/mill\.ts2 edits\+1 −1/);
    expect(await head.locator('.checks').textContent()).toMatch(/✓passednpm test1 of 2 runs failed/);
    expect(await page.locator('.turn-part').count()).toBe(2);
    expect(await page.locator('.turn-part').first().locator('.said strong').textContent()).toBe('too few');
    expect(await page.locator('.step').count()).toBe(6);
    expect(await page.locator('.cause').first().textContent()).toMatch(/expected 3 to be 4.*↓ fixed/);
    await page.getByRole('button', { name: '↓ fixed' }).click();
    expect(await page.evaluate('document.activeElement.textContent')).toContain('passed');

    expect(await head.locator('.requests li').allTextContents()).toEqual([
      'The mill counts too few sacks. Find out why and repair it.5 calls, 1 file',
      'Which other loops end like that?1 call',
    ]);
    await head.getByRole('button', { name: 'Which other loops' }).click();
    expect(await page.evaluate('document.activeElement.textContent')).toContain('Request 2');
    expect(await head.locator('.said').textContent()).toContain('Repaired:• the loop counts the last sack');
    await head.locator('.commits', { hasText: 'Count the last sack too' }).waitFor();

    await page.locator('[data-change]').first().click();
    await page.locator('.opened .line.added', { hasText: 'sacks = 5;' }).waitFor();
    await head.getByRole('button', { name: /mill\.ts/ }).click();
    // The two edits of the line are one change.
    await head.locator('.line.removed', { hasText: 'sacks = 3;' }).waitFor();
    expect(await head.locator('.line.added').textContent()).toContain('sacks = 4;');
    expect(await head.locator('.line.added, .line.removed').count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    expect(offences).toEqual(blameless);
  });

  test('that has a commit as its title says what was asked, also in a single request', async () => {
    const desk = await Desk.open();
    await desk.remember(...session.slice(0, 8));
    const { page } = await desk.page(`#/session?session=${sessionId}`);
    const goal = page.locator('.session-part', { hasText: 'Goal' });
    await goal.getByText('The mill counts too few sacks').waitFor();
    expect(await page.locator('.session-head h2').textContent()).toBe('Count the last sack too');
  });

  test('shows of a pasted log its first lines, of a long list all', async () => {
    const desk = await Desk.open();
    const lines = (line: string) => Array.from({ length: 30 }, (_, at) => `${line}${at}`).join('\n');
    const text = `The mill fails:\n${lines('[12:00:01] GET /sacks/')}\n\nLook at these:\n\n${lines('- src/mill.ts:')}`;
    await desk.remember(said('user', text, 9), ran('ls', 0, 'a', 8));
    const { page } = await desk.page(`#/session?session=${sessionId}`);
    const log = page.locator('.turn-part .block');
    const count = async () => ((await log.textContent()) ?? '').split('\n').length;
    await page.locator('.turn-part .said-item').nth(29).waitFor();
    expect(await count()).toBe(8);
    await page.getByRole('button', { name: 'Show all 30 lines' }).click();
    await expect.poll(count).toBe(30);
    expect(await log.count()).toBe(1);
  });

  test('is walked through by keys, and by the rail that shows its shape', async () => {
    const desk = await Desk.open();
    await desk.remember(...session);
    const { page } = await desk.page(`#/session?session=${sessionId}`, {
      viewport: { width: 1024, height: 400 },
    });
    await page.locator('.mark-commit').waitFor();
    expect(await page.locator('.mark-bad').count()).toBe(1);
    const focused = () => page.evaluate('document.activeElement.textContent');
    for (const [key, text] of [
      ['n', 'npm test'],
      ['.', 'mill.ts'],
      ['c', 'Count the last sack too'],
      ['j', 'Request 2'],
      ['k', 'Request 1'],
      ['N', 'Request 1'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused(), key).toContain(text);
    }
    const rail = page.getByRole('scrollbar');
    const box = await rail.boundingBox();
    await rail.click({ position: { x: 5, y: (box?.height ?? 0) - 5 } });
    await expect.poll(() => page.evaluate('document.getElementById("main").scrollTop')).toBeGreaterThan(100);
    await expect.poll(async () => Number(await rail.getAttribute('aria-valuenow'))).toBeGreaterThan(90);
  });

  test('is found as it was left by who comes back to it, and the list of sessions at the session that was opened', async () => {
    const desk = await Desk.open();
    await desk.remember(...session);
    const { page } = await desk.page('#/sessions', { viewport: { width: 1024, height: 400 } });
    const top = () => page.evaluate('document.getElementById("main").scrollTop');
    await page.locator('.session').click();
    await page.locator('.mark-commit').waitFor();
    await page.keyboard.press('c');
    await page.keyboard.press('Enter');
    await page.locator('.opened .payload').waitFor();
    const before = Number(await top());
    expect(before).toBeGreaterThan(100);
    await page.evaluate('location.hash = "#/home"');
    await page.locator('.home').waitFor();
    await expect.poll(top).toBe(0);
    await page.goBack();
    await page.locator('.opened .payload').waitFor();
    await expect.poll(top).toBe(before);
    await page.reload();
    await page.locator('.session-head').waitFor();
    await expect.poll(top).toBeGreaterThan(100);
    await page.goBack();
    await page.locator(`[data-row="${sessionId}"]:focus`).waitFor();
  });

  test('says on a phone what was asked, all that was done and what is left, without a sideways scroll', async () => {
    const desk = await Desk.open();
    repository(desk.home.project, 'src/mill.ts');
    const done = said(
      'assistant',
      'Done:\n\n- Replaced the wheel of the mill\n- Removed the bell\n- Added a gate of oak',
      160,
    );
    const more = Array.from({ length: 9 }, (_, at) =>
      said('user', `Now look at gate number ${at}, please.`, 150 - at),
    );
    await desk.remember(...session.slice(0, 6), done, ...more);
    const { page, offences } = await desk.page(`#/session?session=${sessionId}`, {
      viewport: { width: 360, height: 800 },
    });
    const head = page.locator('.session-head');
    await head.getByRole('button', { name: 'Show all 10 requests' }).click();
    expect(await head.locator('.requests li').count()).toBe(10);
    // The request is in the list already.
    expect(await head.locator('.requests li:last-child .flag').textContent()).toBe('ended during it');
    expect(await head.textContent()).not.toContain('Ends during');
    expect(await head.locator('.said .said-item').count()).toBe(3);
    await head.getByText('1 file not committed (src/mill.ts)').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    expect(await violations(page)).toEqual([]);
    expect(offences).toEqual(blameless);
  });

  test('grows while one looks, also by what came late, and a link shows the step it names', async () => {
    const desk = await Desk.open();
    await desk.remember(...session.slice(0, 4));
    const { page, offences } = await desk.page(`#/session?session=${sessionId}`);
    await page.locator('.step').nth(1).waitFor();
    for (const event of session.slice(5)) await desk.home.capture(event);
    await page.locator('.turn-part', { hasText: 'Which other loops' }).waitFor();
    await desk.home.capture(session[4] ?? {});
    await page.locator('.step').nth(5).waitFor();

    await goTo(page, `#/session?session=${sessionId}&at=2`);
    await page.locator('.opened .exit', { hasText: 'failed, exit 1' }).waitFor();
    await goTo(page, `#/session?session=${sessionId}&at=3`);
    await expect.poll(() => page.evaluate('document.activeElement.dataset.reply ?? ""')).not.toBe('');
    await page.keyboard.press('Escape');
    await page.locator('.session').waitFor();
    await goTo(page, '#/session?session=unknown');
    await page.getByText('Session unknown is not there.').waitFor();
    expect(offences).toEqual(blameless);
  });

  test('of two thousand calls has its header from the first answer, and jumps to the last failure', async () => {
    const desk = await Desk.open();
    const calls = Array.from({ length: 2_000 }, (_, at) =>
      at === 1_990
        ? ran('npm test', 1, 'Tests  1 failed', at)
        : ran(`make part-${at}`, 0, 'made', 1_999 - at),
    );
    const failed = { ...calls[1_990], ts: minutesAgo(5), toolUseId: 'failed' };
    for (const call of [...calls.filter((_, at) => at !== 1_990), failed]) await desk.home.capture(call);
    const { page, offences } = await desk.page('#/home');
    let goOn = (): void => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await page.route(/\/api\/session\?.*after=/, async (route) => {
      await held;
      await route.continue();
    });
    await goTo(page, `#/session?session=${sessionId}`);
    const failures = page.locator('.session-head').getByRole('button', { name: '1 failed' });
    await failures.waitFor({ timeout: 60_000 });
    await page.getByText('Reading 2,000 events…').waitFor();
    await failures.click();
    goOn();
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent'), { timeout: 60_000 })
      .toContain('npm test');
    await page.keyboard.press('k');
    await page.locator('[data-failed]').waitFor({ state: 'attached', timeout: 60_000 });
    await page.keyboard.press('n');
    expect(await page.evaluate('document.activeElement.textContent')).toContain('npm test');
    expect(offences).toEqual(blameless);
  });

  test('leads to its files, and a file to the requests that touched it, what still stands of them, and its commits', async () => {
    const desk = await Desk.open();
    const git = repository(desk.home.project, 'src/mill.ts');
    git('add', '-A');
    git('commit', '-q', '-m', 'Count `sacks` to the last');
    await desk.remember(...session);
    const { page, offences } = await desk.page(`#/session?session=${sessionId}`);
    await page.locator('[data-change]').first().click();
    await page.locator('.opened-foot .file-path').click();
    await page.locator('.visit', { hasText: 'The mill counts' }).waitFor();
    expect(await page.locator('.visit .step').count()).toBe(2);
    await page.locator('.visit-when', { hasText: 'Count the last sack too' }).waitFor();
    await page.locator('.session-line .state-current', { hasText: '1 still there' }).waitFor();
    expect(await page.locator('.visit .step .flag').allTextContents()).toEqual(['still there', 'gone']);
    expect(await page.locator('.session-line').textContent()).toContain('2 changes+2 −2');
    // The first edit was replaced before the commit.
    expect(await page.locator('.visit-commit').allTextContents()).toEqual([
      expect.stringMatching(/Count sacks to the last [0-9a-f]{7}/),
    ]);
    expect(await page.locator('.step').first().locator('.in-commit').count()).toBe(1);
    expect(await page.locator('.in-commit').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
    await page.locator('.visit .step-row').first().click();
    await page.locator('.opened').waitFor();
    expect(page.url()).toContain('#/session?session=mill-session&at=5');
    expect(offences).toEqual(blameless);
  });
});

describePage('the first view', () => {
  test('shows the last sessions, what is open, pinned memories and the days', async () => {
    const desk = await Desk.open();
    repository(desk.home.project, 'cart.ts');
    const other = [
      ran('ls', 0, 'cart.ts', 102),
      edited('cart.ts', 'oak', 'ash', 101),
      ran('ls', 0, 'cart.ts', 100),
    ];
    await desk.remember(...session, ...other.map((call) => ({ ...call, sessionId: '7ea5e1e5' })));
    await desk.home.ask({ op: 'pin', id: 1 });
    const { page, offences } = await desk.page('#/home', { viewport: { width: 390, height: 844 } });
    const first = page.locator('.session', { hasText: 'Count the last sack too' });
    await first.waitFor();
    expect((await first.boundingBox())?.y).toBeLessThan(300);
    await page.locator('.home-side', { hasText: 'The mill counts' }).waitFor();
    // A session that was only worked in is named by what it changed.
    await page.getByRole('link', { name: 'Changed cart.ts: 1 file not committed' }).waitFor();
    await page.locator('.day-cell.level-4').click();
    await page.locator('.sessions .session').first().waitFor();
    expect(page.url()).toContain('since=');
    await goTo(page, '#/file');
    await page.getByText('The address names no file.').waitFor();
    expect(offences).toEqual(blameless);
  });

  test('a session that was committed by hand is said to be so on every view', async () => {
    const desk = await Desk.open();
    const git = repository(desk.home.project, 'cart.ts');
    git('add', '.');
    git('commit', '-q', '-m', 'A cart of ash');
    const done = [edited('cart.ts', 'oak', 'ash', 101), ran('ls', 0, 'cart.ts', 100)];
    await desk.remember(...done);
    const { page, offences } = await desk.page('#/home');
    await page.locator('.session .flag', { hasText: /^committed$/ }).waitFor();
    await goTo(page, '#/home');
    // Far down in the list too.
    const later = Array.from({ length: 8 }, (_, at) => ({
      ...ran('ls', 0, 'a', at),
      sessionId: `later-${at}`,
    }));
    await desk.remember(...later);
    await goTo(page, '#/sessions');
    await page.locator('.sessions .session .flag', { hasText: /^committed$/ }).waitFor();
    await page.getByLabel('Outcome').selectOption('committed');
    await page.locator('.sessions .session').click();
    await page.locator('.session-line .flag', { hasText: /^committed$/ }).waitFor();
    expect(offences).toEqual(blameless);
  });

  test('the projects of the namespace are listed, each with the command that opens its page', async () => {
    const desk = await Desk.open();
    const { page, offences } = await desk.page('#/home');
    await page.locator('.brand .place').click();
    await page.locator('.project', { hasText: 'this page' }).waitFor();
    expect(await page.locator('.project').count()).toBe(1);
    expect(offences).toEqual(blameless);
  });

  test('the list of sessions of many days is walked down and up again by keys', async () => {
    const desk = await Desk.open();
    const days = Array.from({ length: 40 }, (_, at) => ({
      ...ran('ls', 0, 'a', at * 24 * 60 + 10),
      sessionId: `day-${at}`,
    }));
    await desk.remember(...days);
    const { page, offences } = await desk.page('#/sessions');
    await page.locator('.session').first().waitFor();
    const focused = (): Promise<string> => page.evaluate(`document.activeElement.dataset.row`);
    const walk: string[] = [];
    for (const key of [...'j'.repeat(40), ...'k'.repeat(39)]) {
      await page.keyboard.press(key);
      await page.evaluate('new Promise(requestAnimationFrame)');
      walk.push(await focused());
    }
    const down = days.map(({ sessionId }) => sessionId);
    expect(walk).toEqual([...down, ...down.slice(0, -1).reverse()]);
    expect(offences).toEqual(blameless);
  });

  test('the list of sessions is narrowed by words, file and outcome', async () => {
    const desk = await Desk.open();
    await desk.remember(...session, { ...ran('ls', 0, 'a', 10), sessionId: 'other' });
    const { page } = await desk.page('#/sessions');
    const rows = page.locator('.session');
    await rows.nth(1).waitFor();
    await page.getByLabel('File', { exact: true }).fill('mill.ts');
    await expect.poll(() => rows.count()).toBe(1);
    await rows.getByRole('link', { name: 'mill.ts' }).click();
    await page.locator('.visit').first().waitFor();
    await page.goBack();
    await rows.first().waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByLabel('Outcome').selectOption('committed');
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByLabel('Words').fill('no such words');
    await page.getByText('No session fits these filters.').waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
