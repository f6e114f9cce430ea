import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The browser's program, or why there is none. */
    browser: { readonly path: string } | { readonly missing: string };
  }
}

/**
 * Unpacks the browser once for all files of this project, and looks whether it starts on this machine. `MEMD_TEST_BROWSER` names another
 * one, which has to start.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'memd-browser-'));
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    const executablePath = process.env.MEMD_TEST_BROWSER ?? (await sparticuz.executablePath());
    const browser = await chromium.launch({ executablePath, args: browserArgs });
    await browser.close();
    project.provide('browser', { path: executablePath });
  } catch (error) {
    if (process.env.MEMD_TEST_BROWSER !== undefined) throw error;
    const missing = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    console.warn(`the tests of the page are skipped: no browser starts here (${missing})`);
    project.provide('browser', { missing });
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  return () => fs.rmSync(folder, { recursive: true, force: true });
}

/** Web security stays on: what the page may not do, the tests must see refused. */
export const browserArgs = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'];
