import fs from 'node:fs';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { stringAt } from '#core/event';
import { blameless, Desk, describePage, nothingYet } from './desk.ts';

describePage('the unlock page', () => {
  test('is opened by an address that is put into the very tab that is locked', async () => {
    const desk = await Desk.open();
    const { page, offences } = await desk.tab();
    await page.goto(new URL(await desk.address()).origin);
    await page.getByRole('heading', { name: 'This page is locked' }).waitFor();
    await page.goto(await desk.address());
    await nothingYet(page);
    expect(page.url()).not.toContain('code');
    expect(offences).toEqual(blameless);
    // Also at an address that does not exist.
    const other = await desk.tab();
    await other.page.goto(`${new URL(page.url()).origin}/nowhere`);
    await other.page.getByRole('heading', { name: 'This page is locked' }).waitFor();
  });

  test('names the command that opens the link of a locked tab, and the page begins there', async () => {
    const desk = await Desk.open();
    const { page } = await desk.tab();
    await page.goto(`${new URL(await desk.address()).origin}/#/search?q=mill%27s`);
    const shown = await page.locator('code', { hasText: 'memd web' }).textContent();
    expect(shown).toBe("memd web '#/search?q=mill%27s'");
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'copy' }).click();
    await page.getByRole('button', { name: 'copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(shown);
    const link = /'(.*)'/.exec(shown ?? '')?.[1] ?? '';
    const printed = await desk.home.memd(['web', '--print', link]);
    await page.goto(printed.stdout.trim());
    await page.getByRole('searchbox').waitFor();
    expect(page.url()).toBe(`${new URL(printed.stdout).origin}/#/search?q=mill%27s`);
    const file = stringAt(await desk.home.ask({ op: 'unlock', file: true, place: '/health' }), 'file') ?? '';
    const second = await desk.tab();
    await second.page.goto(pathToFileURL(file).href);
    await second.page.waitForURL(/^http:[^#]*#\/health$/);
    await second.page.locator('main#main').waitFor();
    const bad = await desk.home.memd(['web', '--print', 'https://example.com/">']);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('copy link')]);
    const refused = await desk.home.ask({ op: 'unlock', file: true, place: '/"><script>' });
    expect(refused).toMatchObject({ ok: false, error: { code: 'bad_request' } });
  });

  test('is opened by the file that memd web gives to a browser', async () => {
    const desk = await Desk.open();
    const { page, offences } = await desk.tab();
    const file = stringAt(await desk.home.ask({ op: 'unlock', file: true }), 'file') ?? '';
    await page.goto(pathToFileURL(file).href);
    await nothingYet(page);
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/(?!.*code)/);
    expect(fs.existsSync(file)).toBe(false);
    expect(offences).toEqual({ ...blameless, foreign: [pathToFileURL(file).href] });
  });

  test('distinguishes a used code from a void one, and says what to do', async () => {
    const desk = await Desk.open();
    const address = await desk.address();
    const first = await desk.tab();
    await first.page.goto(address);
    await nothingYet(first.page);
    // A tab that is open stays so, whatever is put into it that was never a code.
    await first.page.goto(`${new URL(address).origin}/#code=${'0'.repeat(64)}`);
    await nothingYet(first.page);
    const second = await desk.tab();
    await second.page.goto(`${new URL(address).origin}/#code=${'0'.repeat(64)}`);
    await second.page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor();
    await second.page.goto(address);
    await second.page.getByRole('heading', { name: 'This link has been used' }).waitFor();
    await second.page.getByText('every open tab is locked').waitFor();
    await second.page.getByText('memd web').waitFor();
    expect(second.page.url()).not.toContain('code');
    await first.page.reload();
    await first.page.getByRole('heading', { name: 'This tab is locked' }).waitFor();
    await first.page.goto(await desk.address());
    await nothingYet(first.page);
  });
});
