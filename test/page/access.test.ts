import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { violations } from './axe.ts';
import { minutesAgo, work } from './calls.ts';
import { blameless, Desk, describePage, goTo } from './desk.ts';

const narrow = { width: 390, height: 844 };
const wide = { width: 3840, height: 2160 };

/** Calls on three days of which two are neighbours in the calendar, whatever weekday it is. */
const neighbouringDays = [3, 4, 5].map((days) => ({
  tool: 'Bash',
  input: { command: 'git status' },
  output: { stdout: 'clean', stderr: '', exitCode: 0 },
  toolUseId: `day-${days}`,
  sessionId: `harbour-session-${days}`,
  ts: minutesAgo(days * 24 * 60),
}));

/** A view, and what is there when it is drawn. */
const views: readonly (readonly [string, string])[] = [
  ['#/memories', '.row'],
  ['#/memories?q=tide+tests&open=3', '.why .curve'],
  ['#/memories?open=3', '.course li'],
  ['#/memories?open=2', '.payload .exit'],
  ['#/memories?q=zzzz', '.empty'],
  ['#/home', '.session'],
  ['#/sessions', '.session'],
  ['#/session?session=harbour-session-two', '.step'],
  ['#/file?path=src/tide.ts', '.visit'],
  ['#/projects', '.project'],
  ['#/health', '.gauge'],
];

/** Real sessions, a folder for each project; not part of this project. */
const transcripts = path.resolve(process.env.MEMD_DATA ?? '../shared/data', 'transcripts');
const projects = fs.existsSync(transcripts) ? fs.readdirSync(transcripts) : [];

/** The sessions of the memory that a page shows, as the page gets them. */
const everySession = `(async () => {
  const headers = { authorization: 'Bearer ' + sessionStorage.getItem('memd.token') };
  const all = [];
  for (let before = ''; before !== null; ) {
    const { sessions, next } = await (await fetch('/api/sessions?limit=50' + before, { headers })).json();
    all.push(...sessions);
    before = next === null ? null : '&before=' + encodeURIComponent(next);
  }
  return all;
})()`;

describePage('everybody', () => {
  test('axe-core finds nothing wrong in any view, light, dark, narrow and wide', async () => {
    const desk = await Desk.open();
    await desk.remember(...work, ...neighbouringDays);
    desk.home.operate(
      `INSERT INTO edges VALUES (3, 1, 'contradicts', 'it says otherwise', '${minutesAgo(1)}')`,
    );
    const found: string[] = [];
    for (const [name, options, asked] of [
      ['light', { colorScheme: 'light' }, views],
      ['dark', { colorScheme: 'dark' }, views],
      ['narrow', { colorScheme: 'dark', viewport: narrow }, views.slice(1)],
      ['wide', { colorScheme: 'light', viewport: wide }, views.slice(1, 2)],
    ] as const) {
      const { page, offences } = await desk.page('', options);
      for (const [hash, shown] of asked) {
        await goTo(page, hash);
        // The figures are folded.
        if (shown.startsWith('.why')) await page.getByText('The figures').click();
        await page.locator(shown).first().waitFor();
        found.push(...(await violations(page)).map((one) => `${name} ${hash} ${one}`));
      }
      await page.keyboard.press('?');
      await page.locator('dialog[open]').waitFor();
      found.push(...(await violations(page)).map((one) => `${name} help ${one}`));
      expect(offences).toEqual(blameless);
      await page.context().close();
    }
    expect(found).toEqual([]);
  });

  test('no view is wider than its window, from a phone to 4k', async () => {
    const desk = await Desk.open();
    await desk.remember(...work);
    const { page } = await desk.page();
    for (const width of [320, 360, 390, 800, 1024, 1440, 3840]) {
      await page.setViewportSize({ width, height: 900 });
      for (const [hash] of views) {
        await goTo(page, hash);
        const shown = page.locator(
          'main :is(.row, .memory, .session, .step, .visit, .project, .gauge, .empty)',
        );
        await shown.filter({ visible: true }).first().waitFor();
        const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(over, `${hash} at ${width} px`).toBeLessThanOrEqual(0);
      }
    }
  });

  test('everything can be done by keys', async () => {
    const desk = await Desk.open();
    await desk.remember(...work);
    const { page, offences } = await desk.page();
    await page.locator('.row').nth(3).waitFor();
    const focused = (): Promise<string> =>
      page.evaluate(
        `document.activeElement.id || document.activeElement.dataset.row || document.activeElement.className`,
      );

    // The newest is read already.
    await page.locator('.memory[aria-label="Memory 4"]').waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toBe('3');
    await page.keyboard.press('k');
    expect(await focused()).toBe('4');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('.memory[aria-label="Memory 3"] .diff').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('3');
    await page.locator('.memory[aria-label="Memory 4"]').waitFor();

    await page.keyboard.press('/');
    await page.keyboard.type('npm test?');
    // Not the hits of the first letters.
    await page.getByRole('heading', { name: /hits? for “npm test\?”/ }).waitFor();
    await page.locator('.rows:not(.is-loading)').waitFor();
    await page.keyboard.press('ArrowDown');
    const first = await focused();
    expect(first).toMatch(/^\d+$/);
    await page.keyboard.press('Enter');
    await page.locator(`.memory[aria-label="Memory ${first}"] .why .sentence`).waitFor();
    // Enter has gone into the memory, where arrows scroll; `j` goes on in the list, and the memory follows.
    expect(await focused()).toBe('memory');
    await page.keyboard.press('j');
    await expect.poll(() => page.url()).not.toContain(`open=${first}`);
    expect(page.url()).toContain(`open=${await focused()}`);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.locator('.day-name').first().waitFor();

    await page.keyboard.press('2');
    await page.locator('.session').first().waitFor();
    await page.keyboard.press('4');
    await page.locator('.gauge').first().waitFor();
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    await page.getByLabel('Single letters are keys').press('Space');
    await page.keyboard.press('Escape');
    await page.locator('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('1');
    expect(page.url()).toContain('#/health');

    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.matches(":focus-visible")')).toBe(true);
    expect(offences).toEqual(blameless);
  });

  test.each(projects)(
    'every real session of %s opens whole, and every view shows them, wide and narrow',
    { timeout: 600_000 },
    async (project) => {
      const desk = await Desk.open();
      const from = path.join(transcripts, project);
      for (const args of [['backfill', '--from', from], ['drain']]) {
        expect(await desk.home.memd(args, { endsWithinMs: 300_000 })).toMatchObject({ code: 0 });
      }
      const { page, offences } = await desk.page('#/sessions');
      const sessions = await page.evaluate<{ sessionId: string; events: number }[]>(everySession);
      for (const [at, { sessionId, events }] of sessions.entries()) {
        await page.setViewportSize(at % 2 === 0 ? { width: 1440, height: 900 } : { width: 360, height: 740 });
        await goTo(page, `#/session?session=${encodeURIComponent(sessionId)}`);
        await page.locator('.session-head:not(.is-growing)').waitFor();
        const rows = page.locator('.session-column :is([data-seq], [data-reply])');
        const prompts = page.locator('.turn-who', { hasText: /^Request/ });
        await expect
          .poll(async () => (await rows.count()) + (await prompts.count()), { message: sessionId })
          .toBe(events);
        const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect(over, sessionId).toBeLessThanOrEqual(0);
        if (at % 10 === 0) expect(await violations(page), sessionId).toEqual([]);
      }
      expect(sessions.length).toBeGreaterThan(10);

      for (const [width, colorScheme] of [
        [1440, 'light'],
        [360, 'dark'],
      ] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await goTo(page, '#/sessions');
        const file = page.locator('.session a[href^="#/file"]').first();
        for (const [hash, shown] of [
          [(await file.getAttribute('href')) ?? '', '.visit'],
          ['#/home', '.day-cell'],
          ['#/memories', '.row'],
          ['#/memories?q=failing+tests', '.row'],
          ['#/memories?q=failing+tests&open=40', '.memory'],
          ['#/health', '.gauge'],
          ['#/sessions', '.session'],
        ] as const) {
          await goTo(page, hash);
          await page.locator(shown).first().waitFor({ state: 'attached' });
          const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          expect(over, `${hash} at ${width} px`).toBeLessThanOrEqual(0);
          expect(await violations(page), `${hash} at ${width} px`).toEqual([]);
        }
      }
      expect(offences).toEqual(blameless);
    },
  );

  test('nothing moves for who asks for that', async () => {
    const desk = await Desk.open();
    const { page } = await desk.page();
    await desk.remember(...work);
    await page.locator('.row').nth(3).waitFor();
    expect(await page.evaluate('document.getAnimations().length')).toBe(0);
  });
});
