import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { spoolBytesMax } from '#core/limits';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const plain = { tool: 'Read', input: { file_path: 'notes.txt' }, output: 'some notes' };
const kept = {
  code: 0,
  stdout: '',
  stderr: expect.stringMatching(/^memd: this tool call was queued in the spool\. .+\n$/),
};

/** The budget was over first: a process of its own goes on. */
const goesOn = {
  code: 0,
  stdout: '',
  stderr: expect.stringMatching(
    /^memd: this tool call was queued in the spool\. A background process goes on with it\. .+\n$/,
  ),
};

function inSpool(home: Home, words: string): Promise<unknown> {
  const { spool } = home.workspace();
  return until(
    'the call in the spool',
    () => fs.existsSync(spool) && fs.readFileSync(spool, 'utf8').includes(words),
  );
}

async function counters(home: Home) {
  return (await home.info()).counters;
}

describe('a tool call that no daemon takes', () => {
  test('is kept in the spool, redacted and readable by its owner alone, and the next start takes it in', async () => {
    const home = Home.open();
    const secret = ['hunter2', 'swordfish'].join('-');
    const ran = await home.hook({ ...plain, output: `DB_PASSWORD=${secret}` });
    expect(ran).toMatchObject(kept);
    const { spool } = home.workspace();
    expect(fs.statSync(spool).mode & 0o777).toBe(0o600);
    expect(fs.readFileSync(spool, 'utf8')).toContain('DB_PASSWORD=<redacted:env>');
    expect(fs.readFileSync(spool, 'utf8')).not.toContain(secret);
    await home.start();
    expect(home.rows('SELECT tool FROM events')).toEqual([{ tool: 'Read' }]);
    expect(await counters(home)).toMatchObject({ spooled: 1, dropped: 0 });
    expect(fs.existsSync(spool)).toBe(false);
  });

  test('because it hangs, is kept too, and is one event though the daemon stores it later', async () => {
    const home = Home.open({ config: { captureObservationBudgetMs: 400, 'drain.tickMs': 60_000 } });
    const pid = await home.start();
    process.kill(pid, 'SIGSTOP');
    const ran = await home.hook({ ...plain, sessionId: 's', toolUseId: 'call-1' });
    process.kill(pid, 'SIGCONT');
    expect(ran).toMatchObject(kept);
    expect(ran.stderr).toContain('timeout');
    await home.memd(['restart']);
    expect(home.rows('SELECT tool_use_id FROM events')).toEqual([{ tool_use_id: 'call-1' }]);
  });

  test('is kept although the budget is over before that is done, as on a machine that starves', async () => {
    const home = Home.open({ config: { captureObservationBudgetMs: 10 } });
    expect(await home.hook(plain)).toMatchObject(goesOn);
    await inSpool(home, 'some notes');
  });

  test('is kept although the start of the hook has used up the budget, and the daemon hangs', async () => {
    const home = Home.open({ config: { captureObservationBudgetMs: 250 } });
    const pid = await home.start();
    const busy = path.join(home.folder, 'busy.cjs');
    fs.writeFileSync(busy, 'while (process.uptime() < 0.6);');
    process.kill(pid, 'SIGSTOP');
    const ran = await home.hook(plain, { env: { NODE_OPTIONS: `--require ${busy}` } });
    await inSpool(home, 'some notes');
    process.kill(pid, 'SIGCONT');
    expect(ran).toMatchObject(goesOn);
  });

  test('is not kept where captureSpool is off', async () => {
    const home = Home.open({ config: { captureSpool: false } });
    const ran = await home.hook(plain);
    expect(ran).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('not captured') });
    expect(fs.existsSync(home.workspace().spool)).toBe(false);
  });

  test('that cannot be written is counted as lost', async () => {
    const home = Home.open();
    await home.start();
    await home.memd(['stop']);
    const { spool } = home.workspace();
    fs.mkdirSync(spool);
    expect(await home.hook(plain)).toMatchObject({ code: 0, stdout: '' });
    await until('the count', () => fs.existsSync(path.join(path.dirname(spool), 'spool.dropped')));
    fs.rmdirSync(spool);
    await home.start();
    expect(await counters(home)).toMatchObject({ spooled: 0, dropped: 1 });
  });

  test('is dropped when the spool is full, the oldest stay, and info counts the drops', async () => {
    const home = Home.open();
    await home.hook({ ...plain, output: 'the oldest' });
    fs.appendFileSync(home.workspace().spool, `${' '.repeat(spoolBytesMax)}\n`);
    const ran = await home.hook({ ...plain, output: 'the newest' });
    expect(ran).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('the spool is full') });
    await home.start();
    expect(await counters(home)).toMatchObject({ spooled: 1, dropped: 1 });
    expect(home.rows('SELECT payload_json FROM events')).toEqual([
      { payload_json: expect.stringContaining('the oldest') },
    ]);
  });

  test('that is none (a notification) leaves no trace and no word', async () => {
    const home = Home.open();
    const ran = await home.hook({ hook_event_name: 'Notification', session_id: 's', message: 'hello' });
    expect(ran).toEqual({ code: 0, signal: null, stdout: '', stderr: '' });
    expect(fs.existsSync(home.workspace().spool)).toBe(false);
  });
});

test('a running daemon takes in what was spooled while it was too busy', async () => {
  const elsewhere = Home.open();
  await elsewhere.hook(plain);
  const home = Home.open({ config: { 'drain.tickMs': 100 } });
  await home.start();
  // Whole at once: the daemon may take it before a copy has its content.
  const copy = path.join(home.folder, 'copy');
  fs.copyFileSync(elsewhere.workspace().spool, copy);
  fs.renameSync(copy, home.workspace().spool);
  await until(
    'the spooled event in the database',
    () => home.rows('SELECT id FROM events').length === 1 || null,
  );
  expect(fs.existsSync(home.workspace().spool)).toBe(false);
});

test('what a killed daemon had begun to take in is taken in by the next', async () => {
  const home = Home.open();
  await home.hook(plain);
  fs.renameSync(home.workspace().spool, `${home.workspace().spool}.taking`);
  await home.hook({ ...plain, output: 'another' });
  await home.start();
  expect(home.rows('SELECT tool FROM events')).toHaveLength(2);
  expect(fs.readdirSync(home.workspace().folder).filter((name) => name.startsWith('spool'))).toEqual([]);
});
