import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { violations } from './axe.ts';
import { minutesAgo } from './calls.ts';
import { blameless, Desk, describePage } from './desk.ts';

const poison = '</script><script>alert(1)</script><img src=x onerror="alert(2)"> \u001b[31mred \u202egnp.exe';
const sessionId = `mill ${poison}`;
const place = (minutes: number) => ({ sessionId, ts: minutesAgo(minutes), toolUseId: `c${minutes}` });
const long = 'and so on. '.repeat(300);

describePage('a session that `mem log --html` writes', () => {
  test('is one file that shows the same without a daemon, loads nothing, and keeps recorded text as text', async () => {
    const desk = await Desk.open();
    await desk.remember(
      { ...place(50), kind: 'message', role: 'user', text: `Count **all** sacks. ${poison}\n${long}THE END` },
      {
        ...place(40),
        tool: 'Edit',
        input: { file_path: 'src/mill.ts', old_string: 'sacks = 3;', new_string: `sacks = 4; // ${poison}` },
        output: 'ok',
      },
      { ...place(30), tool: 'Bash', input: { command: 'npm test' }, output: { stdout: poison, exitCode: 0 } },
    );
    const { code, stdout, stderr } = await desk.home.mem(['log', '--html']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toMatch(/\u001b|\u202e|onerror="alert\(2\)">/);
    const file = path.join(desk.home.folder, 'session.html');
    fs.writeFileSync(file, stdout);
    await desk.home.memd(['stop']);

    const { page, offences } = await desk.tab();
    const url = pathToFileURL(file).href;
    await page.goto(url);
    await page.locator('.turn-part .said strong', { hasText: 'all' }).waitFor();
    await page.locator('[data-change]').first().click();
    await page.locator('.opened .line.added', { hasText: 'sacks = 4;' }).waitFor();
    await page.locator('.session-head .changed-file button').click();
    await page.locator('.session-head .line.removed', { hasText: 'sacks = 3;' }).waitFor();
    expect(await page.locator('a, #app img, #app script').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    // On paper a long request is whole.
    expect(await page.locator('.turn-part').textContent()).not.toContain('THE END');
    await page.evaluate('dispatchEvent(new Event("beforeprint"))');
    expect(await page.locator('.turn-part').textContent()).toContain('THE END');
    expect(offences).toEqual({ ...blameless, foreign: [url] });
  });
});
