import fs from 'node:fs';
import type { Answer } from './answer.ts';
import { pagePolicy } from './policy.ts';

/**
 * The answer to a browser without a token, as on its first visit: a page without secrets. It removes the code of `memd web` from the
 * address, trades it for the token, keeps that for this tab, and loads the real page with it, at the place that follows the code.
 */
export interface UnlockPage extends Answer {
  readonly policy: string;
}

export const challenge = { 'WWW-Authenticate': 'Bearer realm="memd"' };

/** One buffer for all requests, since it needs no token. Its policy has the hashes of its own script and style. */
export function readUnlockPage(): UnlockPage {
  const html = fs.readFileSync(new URL('./unlock.html', import.meta.url), 'utf8');
  const inner = (name: string): string => new RegExp(`<${name}>(.*)</${name}>`, 's').exec(html)?.[1] ?? '';
  const policy = pagePolicy({ script: inner('script'), style: inner('style') });
  const headers = { 'Content-Security-Policy': policy, ...challenge };
  return { status: 401, type: 'text/html; charset=utf-8', body: Buffer.from(html), headers, policy };
}
