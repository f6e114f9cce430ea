import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject } from 'vitest';
import type { JsonObject } from '#core/event';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { browserArgs } from './unpack.ts';

const patienceMs = 10_000;
const found = inject('browser');
let browser: Browser | null = null;

/** Tests in a real browser; skipped, with the reason in their name, on a machine where none starts. */
export function describePage(name: string, tests: () => void): void {
  if ('missing' in found) {
    describe.skip(`${name} (no browser: ${found.missing})`, tests);
    return;
  }
  describe(name, () => {
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: found.path, args: browserArgs });
    });
    afterEach(async () => {
      for (const context of browser?.contexts() ?? []) await context.close();
      await closeHomes();
    });
    afterAll(async () => {
      await browser?.close();
      browser = null;
      expect(leftBehind()).toEqual([]);
    });
    tests();
  });
}

/** What a page did that no page of ours may do. */
export interface Offences {
  readonly errors: string[];
  readonly foreign: string[];
  readonly dialogs: string[];
}

/** A daemon in a home of its own, and tabs that look at it. */
export class Desk {
  readonly home: Home;

  private constructor(home: Home) {
    this.home = home;
  }

  static async open(env: Record<string, string> = {}, config: JsonObject = {}): Promise<Desk> {
    const settings = { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000, ...config };
    const home = Home.open({ env, config: settings });
    await home.start();
    return new Desk(home);
  }

  /** Captures calls, and makes memories of them. */
  async remember(...calls: readonly JsonObject[]): Promise<void> {
    for (const call of calls) await this.home.capture(call);
    await this.drain();
  }

  async drain(): Promise<void> {
    const reply = await this.home.ask({ op: 'drain' });
    if (reply.ok !== true) throw new Error(JSON.stringify(reply));
  }

  /** A fresh address with its one-time code. */
  async address(): Promise<string> {
    const { code, stdout, stderr } = await this.home.memd(['web', '--print']);
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  }

  /** A tab that nobody has unlocked. */
  async tab(options: BrowserContextOptions = {}): Promise<{ page: Page; offences: Offences }> {
    if (browser === null) throw new Error('the browser is not there');
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    return { page, offences: watch(page) };
  }

  /** A tab with the page open, at `hash`, with the first figures on it. */
  async page(
    hash = '#/memories',
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; offences: Offences }> {
    const { page, offences } = await this.tab(options);
    await page.goto(await this.address());
    await page.locator('.lamp-live').waitFor();
    await goTo(page, hash);
    return { page, offences };
  }
}

export async function goTo(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

/** Waits for the first view of an empty memory. */
export async function nothingYet(page: Page): Promise<void> {
  await page.getByText('Nothing is remembered yet.').waitFor();
}

/** Waits for a count to stand on the page of the service's health. */
export async function count(page: Page, name: string, value: number): Promise<void> {
  await page.locator(`.reading-${name} .figure`, { hasText: new RegExp(`^${value}$`) }).waitFor();
}

function watch(page: Page): Offences {
  const offences: Offences = { errors: [], foreign: [], dialogs: [] };
  page.on('pageerror', (error) => offences.errors.push(error.message));
  page.on('console', (message) => {
    // The browser reports what the server refuses as an error too. Each test says whether that is right.
    const isRefusal = /Failed to load resource|net::ERR/.test(message.text());
    if (message.type() === 'error' && !isRefusal) offences.errors.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:\d+|blob:http:\/\/127\.0\.0\.1:\d+|data:,$)/.test(request.url())) {
      offences.foreign.push(request.url());
    }
  });
  page.on('dialog', (dialog) => {
    offences.dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  return offences;
}

export const blameless: Offences = { errors: [], foreign: [], dialogs: [] };
