// `npm run screenshots`: the page as pictures, docs/pictures/*.png, from an invented project through the real daemon. With
// names of pictures only those; MEMD_DIST names another build.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import { readDay } from '../demo/day.mjs';
import { readWeek } from './pictures-week.mjs';
import { root } from './ready.mjs';
import { smallerPng } from './smaller-png.mjs';

const dist = path.resolve(process.env.MEMD_DIST ?? `${root}dist`);
const pictures = `${root}docs/pictures`;
const bytesMax = 150_000;
const desk = { width: 1440, height: 900 };
const tablet = { width: 1024, height: 768 };
const phone = { width: 390, height: 844 };
/** While the day comes in, this much passes between two batches, for the line of captures. */
const stepMs = 15_000;
const batches = 26;

/** Name, window, theme, address, what must be there, and what is scrolled to or opened. */
const shots = [
  ['session', desk, 'light', '#/session?session=DAY', '.mark-change'],
  ['session-dark', desk, 'dark', '#/session?session=DAY', '.mark-change', '[data-failed]'],
  ['session-tablet', tablet, 'light', '#/session?session=DAY', '.mark-change', '.changed-file button'],
  ['sessions', desk, 'dark', '#/sessions', '.session'],
  ['file', tablet, 'dark', '#/file?path=src/server.ts', '.visit'],
  ['why', desk, 'light', '#/memories?q=why+did+we+drop+redis&open=DROP', '.why .sentence'],
  ['memory', desk, 'dark', '#/memories?open=EDIT', '.payload'],
  ['provenance', desk, 'light', '#/memories?q=tide+tests&open=FLAKY', '.course li', '.provenance'],
  ['health', desk, 'dark', '#/health', '.gauge'],
  ['home', desk, 'light', '#/home', '.session'],
  ['phone', phone, 'light', '#/home', '.session'],
  ['phone-session', phone, 'dark', '#/session?session=DAY', '.mark-change'],
  ['phone-search', phone, 'light', '#/memories?q=why+did+we+drop+redis', '.row mark'],
];

const asked = process.argv.slice(2);
const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'memd-pictures-')));
const home = path.join(base, 'home');
const project = path.join(base, 'harbour');
const env = {
  PATH: process.env.PATH,
  HOME: home,
  CLAUDE_PROJECT_DIR: project,
  TMPDIR: base,
  // Nothing listens there: no model of this machine is used.
  LOCALLLM_HOST: '127.0.0.1:4',
};

try {
  mkdirSync(path.join(project, '.git'), { recursive: true });
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(pictures, { recursive: true });
  await memd('init');
  await memd('start');
  await take();
} finally {
  await memd('stop').catch((error) => console.error(error.message));
  rmSync(base, { recursive: true, force: true, maxRetries: 5 });
}

async function take() {
  process.env.TMPDIR = base;
  const executablePath = await sparticuz.executablePath();
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    env: { ...process.env, FONTCONFIG_FILE: fonts() },
  });
  try {
    const ask = await socket();
    const endsMs = Date.now() - 60_000;
    await ask(readWeek({ endsMs, root: project }));
    await ask([{ op: 'drain' }]);
    const page = await unlocked(browser, desk);
    await comeIn(page, ask, endsMs);
    const ids = await named(ask);
    for (const shot of shots) {
      if (asked.length === 0 || asked.includes(shot[0])) await picture(page, shot, ids);
    }
  } finally {
    await browser.close();
  }
}

/** The day's calls in batches, with the page's clock put on between them, so that its line has a shape. */
async function comeIn(page, ask, endsMs) {
  const day = readDay({ endsMs, root: project, secret: `hbr-${'0a1b2c3d'.repeat(4)}` });
  const payloads = day.map(({ json }) => ({ op: 'capture', payload: JSON.parse(json) }));
  let sent = Number((await page.locator('.reading-events .figure').textContent()).replace(/\D/g, ''));
  for (let batch = 0; batch < batches; batch += 1) {
    // More in the middle, and now and then nothing.
    const share = batch % 5 === 4 ? 0 : Math.round(1 + 4 * Math.sin((batch / batches) * Math.PI));
    const part = payloads.splice(0, batch === batches - 1 ? payloads.length : share);
    if (part.length > 0) {
      await ask(part);
      sent += part.length;
      await page.locator('.reading-events .figure', { hasText: new RegExp(`^${sent}$`) }).waitFor();
    }
    if (batch < batches - 1) await page.clock.fastForward(stepMs);
  }
  await ask([{ op: 'drain' }]);
  await page.locator('.reading-raw .figure', { hasText: /^0$/ }).waitFor();
  // The sessions' digests follow their memories.
  await page.clock.fastForward(4_000);
}

async function unlocked(browser, viewport) {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', timezoneId: 'UTC' });
  const page = await context.newPage();
  // Behind by what the day will be put on by, so that in the pictures it is now.
  await page.clock.install({ time: Date.now() - (batches - 1) * stepMs });
  await page.goto((await memd('web', '--print')).trim());
  await page.locator('.lamp-live').waitFor();
  await page.evaluate(`location.hash = '#/health'`);
  await page.locator('.reading-events').waitFor();
  return page;
}

async function picture(page, [name, viewport, colorScheme, hash, ready, target], ids) {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const address = hash.replace(/=([A-Z]+)$/, (_, key) => `=${ids[key]}`);
  await page.evaluate(`location.hash = ${JSON.stringify(address)}`);
  await page.locator(ready).first().waitFor();
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement?.blur()');
  // What scrolls begins at its top; what the picture is of comes into sight.
  await page.evaluate(
    'document.querySelectorAll(".memory, .list-pane, main").forEach((one) => one.scrollTo(0, 0)); scrollTo(0, 0)',
  );
  if (target !== undefined) {
    // What opens in its place is shown opened.
    await page.evaluate(
      `const one = document.querySelector(${JSON.stringify(target)}); if (one.matches('button')) one.click(); one.scrollIntoView({ block: 'center' })`,
    );
  }
  await page.clock.runFor(400);
  // What was opened has come; a wait counts by the machine's clock, not by the page's.
  await page.locator('.opened .loading').first().waitFor({ state: 'detached' });
  await page.locator('.lamp-live').waitFor();
  const file = `${pictures}/${name}.png`;
  const small = smallerPng(await page.screenshot());
  writeFileSync(file, small);
  const size = small.length;
  console.log(`${name}.png  ${viewport.width} x ${viewport.height}  ${Math.round(size / 1000)} kB`);
  if (size > bytesMax) throw new Error(`${name}.png is larger than ${bytesMax} bytes`);
}

/** The memories that the pictures open, by what they say. */
async function named(ask) {
  const [reply] = await ask([{ op: 'recent', limit: 500 }]);
  const find = (pattern) => {
    const found = reply.summaries.find(({ text }) => pattern.test(text));
    if (found === undefined) throw new Error(`no memory says ${pattern}`);
    return found.id;
  };
  const [listed] = await ask([{ op: 'sessions', limit: 1 }]);
  return {
    DAY: listed.sessions[0].sessionId,
    DROP: find(/^Created docs\/decisions\/004/),
    TIDE: find(/How slow is the tide service/),
    EDIT: find(/^Edited migrations\/0012/),
    FLAKY: find(/^Run the tide tests once more/),
  };
}

/** Asks over the socket, one after the other on one connection. */
async function socket() {
  const info = JSON.parse(await memd('info', '--json'));
  const { namespace, key } = info.workspace;
  const place = path.join(home, '.memd', namespace, 'workspaces', key, 'memd.sock');
  return (requests) =>
    new Promise((resolve, reject) => {
      const replies = [];
      let rest = '';
      const wire = connect(place, () =>
        wire.write(requests.map((one) => `${JSON.stringify(one)}\n`).join('')),
      );
      wire.setEncoding('utf8').on('error', reject);
      wire.on('data', (text) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        replies.push(...lines.map((line) => JSON.parse(line)));
        const bad = replies.find(({ ok }) => ok !== true);
        if (bad !== undefined) reject(new Error(JSON.stringify(bad)));
        if (replies.length === requests.length) resolve(replies);
        if (replies.length === requests.length || bad !== undefined) wire.end();
      });
    });
}

/** The fonts that are unpacked with the browser, so that the pictures are alike on every machine; the system's for code. */
function fonts() {
  const folder = path.join(base, 'fonts');
  const file = path.join(base, 'fonts.conf');
  const prefer = (family, by) =>
    `<alias binding="strong"><family>${family}</family><prefer><family>${by}</family></prefer></alias>`;
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${folder}</dir>` +
      `<dir>/usr/share/fonts</dir><cachedir>${base}/fontcache</cachedir>` +
      `${prefer('system-ui', 'Open Sans')}${prefer('ui-monospace', 'DejaVu Sans Mono')}</fontconfig>`,
  );
  return file;
}

function memd(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(dist, 'memd.cjs'), ...args], { cwd: project, env });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(out) : reject(new Error(`memd ${args.join(' ')}: ${out}`)),
    );
  });
}
