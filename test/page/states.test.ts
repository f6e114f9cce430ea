import fs from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { dist } from '../support/home.ts';
import { violations } from './axe.ts';
import { work } from './calls.ts';
import { blameless, count, Desk, describePage, goTo, nothingYet } from './desk.ts';

describePage('the page and its daemon', () => {
  test('weighs less than 90 kB when it is packed', () => {
    const files = ['app.js', 'app.css'].map((name) => path.join(dist, 'web', 'assets', name));
    const bytes = files.reduce((sum, file) => sum + gzipSync(fs.readFileSync(file)).length, 0);
    expect(bytes).toBeLessThan(90_000);
  });

  test('opens by a code that works once, and leaves neither code nor token in the address or the history', async () => {
    const desk = await Desk.open();
    const { page, offences } = await desk.tab();
    const address = await desk.address();
    await page.goto(address);
    await nothingYet(page);
    expect(page.url()).not.toMatch(/[0-9a-f]{32}/);
    const token = fs.readFileSync(path.join(desk.home.home, '.memd', 'auth.token'), 'utf8').trim();
    expect(await page.content()).not.toContain(token);
    expect(await page.evaluate('sessionStorage.getItem("memd.token")')).toBe(token);
    // The tab keeps it: a reload needs no code, and stays where it was.
    await goTo(page, '#/health');
    await page.reload();
    await page.locator('.gauge').first().waitFor();

    const other = await desk.tab();
    await other.page.goto(address);
    await other.page.getByRole('heading').waitFor();
    expect(await other.page.locator('.bar').count()).toBe(0);
    expect(offences).toEqual(blameless);
  });

  test('shows nothing of the memory without a token, and none with a wrong one', async () => {
    const desk = await Desk.open();
    await desk.remember(...work);
    const { page } = await desk.tab();
    const url = new URL(await desk.address()).origin;
    await page.goto(url);
    await page.getByText('memd web').first().waitFor();
    expect(await page.locator('.bar').count()).toBe(0);

    const open = await desk.page();
    await open.page.locator('.row').first().waitFor();
    await open.page.evaluate('sessionStorage.setItem("memd.token", "0".repeat(64))');
    // The next thing that is asked for is refused, maybe a part of what is shown already.
    await goTo(open.page, '#/memories?open=1');
    await open.page.getByRole('heading', { name: 'This page is locked' }).waitFor();
    await open.page.getByText('memd web').waitFor();
    expect(await violations(open.page)).toEqual([]);
    expect(await open.page.locator('.row').count()).toBe(0);
    await open.page.reload();
    await open.page.getByText('memd web').first().waitFor();
    expect(await open.page.locator('.row').count()).toBe(0);
  });

  test('says so when the daemon is gone, keeps what it shows, and goes on when it is back', async () => {
    const desk = await Desk.open({ MEMD_HTTP_PORT: String(await freePort()) });
    await desk.remember(...work);
    const { page } = await desk.page();
    await page.locator('.row').first().waitFor();
    await desk.home.memd(['stop']);
    const banner = page.locator('.banner');
    await banner.getByText('The daemon does not answer.').waitFor();
    expect(await banner.textContent()).toContain('memd start');
    expect(await violations(page)).toEqual([]);
    expect(await page.locator('.row').count()).toBe(4);
    await page.locator('.row').first().click();
    await page.getByText(/Memory \d+ could not be read: the daemon does not answer/).waitFor();

    await desk.home.start();
    await banner.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.memory .payload').waitFor();
  });

  test('is locked when the token has changed, and names the command that opens it', async () => {
    const desk = await Desk.open({ MEMD_HTTP_PORT: String(await freePort()) });
    await desk.remember(...work);
    const { page } = await desk.page();
    await page.locator('.row').first().waitFor();
    await desk.home.memd(['stop']);
    fs.rmSync(path.join(desk.home.home, '.memd', 'auth.token'));
    await desk.home.start();
    await page.getByRole('heading', { name: 'This page is locked' }).waitFor();
    expect(await page.locator('.row').count()).toBe(0);
    await page.goto('about:blank');
    await page.goto(await desk.address());
    await page.locator('.session').nth(1).waitFor();
  });

  test('shows no answer to another question when a search is not answered', async () => {
    const desk = await Desk.open();
    await desk.remember(...work);
    const { page } = await desk.page('#/memories?q=test');
    await page.locator('.row.is-hit').first().waitFor();
    const body = JSON.stringify({ error: { code: 'gone', message: 'memd is new. Run `memd restart`.' } });
    await page.route('**/api/search', (route) => route.fulfill({ status: 503, body }));
    await page.locator('#query').fill('something else');
    await page.getByText(/^The search could not be read: memd is new\. Run `memd restart`\.$/).waitFor();
    expect(await page.locator('.row').count()).toBe(0);
    await page.unroute('**/api/search');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: /for “something else”/, level: 2 }).waitFor();
  });

  test('asks every few seconds where the stream is not there', async () => {
    const desk = await Desk.open();
    const { page } = await desk.tab();
    await page.route('**/api/stream', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.goto(await desk.address());
    await page.locator('.lamp-polling').waitFor();
    await goTo(page, '#/health');
    await desk.remember(...work);
    await count(page, 'summaries', 4);
  });
});

/** A port that nobody has, so that a daemon can come back to it. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
