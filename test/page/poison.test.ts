import { expect, test } from 'vitest';
import { blameless, Desk, describePage, goTo } from './desk.ts';

const markup = '<img src=x onerror="alert(1)"><script>alert(2)</script><svg onload=alert(3)>';
const link = '[click](javascript:alert(4)) javascript:alert(5)';
const ansi = '\u001b[31mred\u001b[0m \u001b]0;title\u0007';
const bidi = 'access \u202egnp.exe\u202c level\u200b\u2066';

describePage('a poisoned memory', () => {
  test('stays text, from every source', async () => {
    const desk = await Desk.open();
    const all = `${markup} ${link} ${ansi} ${bidi}`;
    await desk.remember(
      {
        tool: 'Bash',
        input: { command: `echo ${all}` },
        output: { stdout: all, stderr: all },
        toolUseId: 'p1',
        sessionId: markup,
      },
      { tool: 'Read', input: { file_path: `/tmp/${markup}` }, output: all, toolUseId: 'p2', sessionId: bidi },
      {
        tool: 'Edit',
        input: { file_path: all, old_string: 'a', new_string: all },
        output: all,
        toolUseId: 'p3',
      },
      {
        tool: markup,
        input: { [markup]: all, __proto__: all },
        output: { a: [all, { b: all }] },
        toolUseId: 'p4',
      },
      {
        tool: 'TodoWrite',
        input: { todos: [{ content: all, status: markup }] },
        output: all,
        toolUseId: 'p5',
      },
    );
    desk.home.operate(
      `INSERT INTO edges VALUES (2, 1, 'supersedes', '${markup.replaceAll("'", "''")}', '2026-01-01T00:00:00Z')`,
    );
    const { page, offences } = await desk.page();
    await page.locator('.row').nth(4).waitFor();
    for (const id of [1, 2, 3, 4, 5]) {
      await page.evaluate(`location.hash = '#/memories?open=${id}'`);
      await page.locator(`.memory[aria-label="Memory ${id}"] .payload`).waitFor();
      const json = page.getByRole('button', { name: 'JSON' });
      if (await json.isVisible()) await json.click();
      await page.locator('.json').first().waitFor();
      for (const fold of await page.locator('.json details:not([open]) > summary').all()) await fold.click();
    }
    await page.evaluate(`location.hash = '#/memories?open=2'`);
    await page.locator('.course').getByText('onerror').first().waitFor();
    await page.locator('.acting', { hasText: 'RLO' }).first().waitFor();
    await page.getByLabel('Search the memory').fill(all);
    await page.locator('.row mark').first().waitFor();
    await page.evaluate(`location.hash = '#/sessions'`);
    await page.locator('.session').first().waitFor();
    for (const session of [markup, bidi]) {
      await goTo(page, `#/session?session=${encodeURIComponent(session)}`);
      await page.locator('.step-row').first().click();
      await page.locator('.opened .payload').waitFor();
    }
    await goTo(page, `#/file?path=${encodeURIComponent(`/tmp/${markup}`)}`);
    await page.locator('.visit').first().waitFor();
    await goTo(page, '#/home');
    await page.locator('.session').first().waitFor();
    await page.evaluate(
      `location.hash = '#/memories?q=${encodeURIComponent(all)}&tool=${encodeURIComponent(markup)}'`,
    );
    await page.locator('.list-title').waitFor();

    expect(
      await page
        .locator('#app img, #app script, #app iframe, #app a[href^=javascript], #app svg[onload]')
        .count(),
    ).toBe(0);
    const raw = await page.evaluate(`document.getElementById('app').textContent`);
    expect(raw).not.toMatch(/[\u0000-\u0008\u001b\u202a-\u202e\u2066-\u2069\u200b]/);
    expect(offences).toEqual(blameless);
  });

  test('of five million characters comes in parts and leaves the page quick', async () => {
    const desk = await Desk.open();
    const line = `${markup} some text that goes on and on\n`;
    const output = line.repeat(Math.ceil(5_000_000 / line.length));
    await desk.remember({ tool: 'Bash', input: { command: 'cat big' }, output, toolUseId: 'big' });
    const { page, offences } = await desk.page('#/memories?open=1');
    await page.locator('.payload .block', { hasText: 'some text that goes on' }).waitFor();
    const more = page.locator('.payload .more');
    await more.click();
    expect(await page.evaluate(`document.getElementById('app').textContent.length`)).toBeLessThan(200_000);
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
    expect(offences).toEqual(blameless);
  });

  test('that the bridge would send whole is shown in parts too', async () => {
    const desk = await Desk.open();
    await desk.remember({ tool: 'Bash', input: { command: 'cat big' }, output: 'small', toolUseId: 'big' });
    const { page, offences } = await desk.tab();
    const output = `${markup}\u202e\u001b[2J`.repeat(60_000);
    await page.route('**/api/summaries/1', async (route) => {
      const response = await route.fetch();
      const memory = await response.json();
      await route.fulfill({
        response,
        json: { ...memory, text: output, payload: { ...memory.payload, output } },
      });
    });
    await page.goto(await desk.address());
    await goTo(page, '#/memories');
    await page.locator('.row').first().click();
    await page.locator('.memory-text .acting', { hasText: 'RLO' }).first().waitFor();
    expect(await page.locator('.more').first().textContent()).toMatch(/MB left/);
    expect(await page.evaluate(`document.getElementById('app').textContent.length`)).toBeLessThan(100_000);
    expect(await page.locator('#app img').count()).toBe(0);
    expect(offences).toEqual(blameless);
  });
});
