import { expect, test } from 'vitest';
import { blameless, count, Desk, describePage } from './desk.ts';

describePage('the unlock page', () => {
  test('is opened by an address that is put into the very tab that is locked', async () => {
    const desk = await Desk.open();
    const { page, offences } = await desk.tab();
    await page.goto(new URL(await desk.address()).origin);
    await page.getByRole('heading', { name: 'This page is locked' }).waitFor();
    await page.goto(await desk.address());
    await count(page, 'events', 0);
    expect(page.url()).not.toContain('code');
    expect(offences).toEqual(blameless);
  });

  test('tells a code that is spent from one that was never given, and what to do', async () => {
    const desk = await Desk.open();
    const address = await desk.address();
    const first = await desk.tab();
    await first.page.goto(address);
    await count(first.page, 'events', 0);
    const second = await desk.tab();
    await second.page.goto(address);
    await second.page.getByRole('heading', { name: 'This link has been used' }).waitFor();
    await second.page.getByText('memd web').waitFor();
    expect(second.page.url()).not.toContain('code');
    // A tab that is open stays so, whatever old address is put into it.
    await first.page.goto(address);
    await count(first.page, 'events', 0);
  });
});
