import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { read } from '../../src/surfaces/cli/replies.ts';
import { closeHomes, dist, Home, leftBehind } from '../support/home.ts';
import { lives } from '../support/processes.ts';
import { run } from '../support/run.ts';
import { until } from '../support/until.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

const quick = { drain: { tickMs: 50, fallback: 'builtin' } };
const day = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * day).toISOString();
const long = (name: string): string => `the text of ${name}\n`.repeat(400);
const call = (name: string, days: number) => ({
  tool: 'Read',
  input: { file_path: `src/${name}.ts` },
  output: long(name),
  toolUseId: `call-${name}`,
  sessionId: `session-${name}`,
  ts: daysAgo(days),
});

/** A home with calls of some ages, all of them summarised and seen by the curator, and no daemon. */
async function withCalls(ages: Readonly<Record<string, number>>): Promise<Home> {
  const home = Home.open({ config: { ...quick, retention: { payloadDays: 100_000 } } });
  await home.start();
  const calls = Object.entries(ages).map(([name, days]) => call(name, days));
  // Fewer than a daemon has connections.
  for (let at = 0; at < calls.length; at += 100) {
    await Promise.all(calls.slice(at, at + 100).map((one) => home.capture(one)));
  }
  await home.ask({ op: 'drain' });
  await until('the curator', () => home.rows('SELECT 1 FROM summaries WHERE curated = 0').length === 0);
  const { code, stderr } = await home.memd(['stop']);
  if (code !== 0) throw new Error(stderr);
  home.configure(quick);
  return home;
}

const outputOf = (home: Home, name: string): string => {
  const sql = "SELECT payload_json ->> 'output' AS output FROM events WHERE tool_use_id = ?";
  return String(home.rows(sql, `call-${name}`)[0]?.output);
};
const isShrunk = (home: Home, name: string): boolean =>
  outputOf(home, name).startsWith('<shrunk by retention: ');
const retained = (home: Home) =>
  until(`retention ${JSON.stringify(home.daemonLog())}`, () =>
    home.daemonLog().find(({ msg }) => msg === 'retention'),
  );

async function best(home: Home, query: string) {
  const [hit] = read('search', await home.ask({ op: 'search', query })).hits;
  return hit;
}

describe('payloads by age', () => {
  test('those older than retention.payloadDays shrink and say so; their memories are found, shown, and pinned ones are whole', async () => {
    const home = await withCalls({ lighthouse: 400, harbour: 400, anchor: 10 });
    home.operate(`UPDATE summaries SET pinned = 1 WHERE event_id =
      (SELECT id FROM events WHERE tool_use_id = 'call-harbour')`);
    const before = home.rows('SELECT * FROM summaries');
    await home.start();
    await retained(home);
    expect(['lighthouse', 'harbour', 'anchor'].map((name) => isShrunk(home, name))).toEqual([
      true,
      false,
      false,
    ]);
    expect(outputOf(home, 'lighthouse')).toMatch(
      /^<shrunk by retention: \d+ characters, older than 365 days \(retention\.payloadDays\), digest [0-9a-f]{16}>$/,
    );
    expect(home.rows('SELECT * FROM summaries')).toEqual(before);
    const hit = await best(home, 'src/lighthouse.ts');
    expect(hit?.toolUseId).toBe('call-lighthouse');
    const shown = await home.mem(['show', String(hit?.id)]);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('retention.payloadDays')]);
    const [{ n = 0 } = {}] = home.rows('SELECT CAST(avg(length(payload_json)) AS INTEGER) AS n FROM events');
    expect(Number(n)).toBeGreaterThan(1_000);
  });

  test('the same call sent again neither brings the payload back nor makes a second event; export, import, forget and doctor take it as any other', async () => {
    const home = await withCalls({ lighthouse: 400, anchor: 10 });
    await home.start();
    await retained(home);
    await home.capture(call('lighthouse', 400));
    expect((await home.info()).counts.events).toBe(2);
    expect(isShrunk(home, 'lighthouse')).toBe(true);

    const file = `${home.folder}/export.ndjson`;
    fs.writeFileSync(file, (await home.mem(['export'])).stdout);
    const other = Home.open({ config: quick });
    await other.start();
    expect(await other.mem(['import', file])).toMatchObject({ code: 0 });
    expect(outputOf(other, 'lighthouse')).toBe(outputOf(home, 'lighthouse'));
    expect((await best(other, 'src/lighthouse.ts'))?.toolUseId).toBe('call-lighthouse');

    const doctor = await home.memd(['doctor']);
    expect(`${doctor.stdout}${doctor.stderr}`).not.toMatch(/secret.*(?:found|stored in)/i);
    const hit = await best(home, 'src/lighthouse.ts');
    expect(await home.mem(['forget', String(hit?.id)])).toMatchObject({ code: 0 });
    expect((await home.info()).counts.events).toBe(1);
  });

  test('a clock that is ahead costs nothing until calls come in with its time', async () => {
    const home = await withCalls({ lighthouse: 800, anchor: 500 });
    home.configure({ ...quick, retention: { payloadDays: 365 } });
    await home.start();
    await until('two ticks', async () => ((await home.info()).daemon.uptimeSec ?? 0) > 1);
    expect(isShrunk(home, 'anchor')).toBe(false);
  });
});

describe('payloads by size', () => {
  test('the oldest shrink while the database is too large, and the file gets shorter', async () => {
    const names = Array.from({ length: 400 }, (_, at) => `part-${at}`);
    const home = await withCalls(Object.fromEntries(names.map((name, at) => [name, 300 - at / 10])));
    home.configure({ ...quick, retention: { databaseMiB: 3 } });
    await home.start();
    await retained(home);
    const shrunk = names.map((name) => isShrunk(home, name));
    // The oldest, as many as it takes.
    expect(shrunk).toEqual([...shrunk].sort((a, b) => Number(b) - Number(a)));
    expect(shrunk).toContain(false);
    expect(shrunk).toContain(true);
    expect((await home.info()).warnings).toEqual([]);
  });

  test('when nothing can shrink any more the user gets a warning, and what to do', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `part-${at}`);
    const home = await withCalls(Object.fromEntries(names.map((name) => [name, 10])));
    home.operate('UPDATE summaries SET pinned = 1');
    home.configure({ ...quick, retention: { databaseMiB: 1 } });
    await home.start();
    const warning = expect.stringMatching(/more than retention\.databaseMiB \(1\).*mem prune --confirm/);
    await until('the warning', async () => (await home.info()).warnings.length > 0);
    expect((await home.info()).warnings).toEqual([warning]);
  });
});

describe('interrupted', () => {
  test.each(['retention.shrunk@2=kill', 'retention.vacuum@2=kill,retention.free=600'])(
    '%s: whole, and done by the next start',
    async (faults) => {
      const names = Array.from({ length: 400 }, (_, at) => `part-${at}`);
      const home = await withCalls({ ...Object.fromEntries(names.map((name) => [name, 400])), newest: 0 });
      const pid = await home.start({ env: { MEMD_FAULTS: faults } });
      await until('its end', () => !lives(pid));
      expect(home.rows('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      await home.start();
      await until('the rest', () => names.every((name) => isShrunk(home, name)));
      expect((await home.info()).counts).toMatchObject({ events: 401, summaries: 401 });
      expect((await best(home, 'src/part-7.ts'))?.toolUseId).toBe('call-part-7');
    },
  );
});

describe('idleness', () => {
  test('a daemon that nobody asks anything leaves; the hook at a session’s start brings it back, with what was captured meanwhile', async () => {
    const home = Home.open({ config: { ...quick, idleMinutes: 0.01 } });
    const first = await home.start();
    await until('its end', () => !lives(first));
    expect(home.daemonLog().map(({ reason }) => reason)).toContain('idle for 0.01 minutes');
    expect(home.daemons()).toEqual([]);
    home.configure(quick);
    // Without the mark of idleness a call only waits in the spool (with it: idle.test.ts).
    await home.memd(['stop']);
    expect(await home.hook({ ...call('lighthouse', 0), tool: 'Read' })).toMatchObject({
      code: 0,
      stdout: '',
    });
    expect(home.daemons()).toEqual([]);
    const hook = [path.join(dist, 'session-start.cjs')];
    const input = JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's', source: 'resume' });
    const options = { cwd: home.project, env: home.env(), input };
    expect(await run(process.execPath, hook, options)).toMatchObject({ code: 0 });
    await until('the call', async () => (await home.info()).counts.events === 1);
    expect(home.daemons()).toHaveLength(1);
  });
});
