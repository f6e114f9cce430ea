import type { Answer } from './answer.ts';
import { pagePolicy } from './policy.ts';

/**
 * The answer to a browser without a token, as on its first visit: a page without secrets. It removes the code of `memd web` from the
 * address, trades it for the token, keeps that for this tab, and loads the real page with it, at the place that follows the code.
 */

const style = `
  :root { color-scheme: light dark; }
  #memd-unlock { font: 16px/1.5 system-ui, sans-serif; max-width: 34rem; margin: 12vh auto; padding: 0 1.5rem; }
  #memd-unlock h1 { font-size: 1.25rem; }
  #memd-unlock code { font: 0.95em ui-monospace, monospace; padding: 0.15em 0.4em; border: 1px solid; border-radius: 0.3em; }
`;

/** Runs in the browser unchanged: the policy has its hash, so it has no placeholders. */
const script = `
(() => {
  'use strict';
  const key = 'memd.token';
  const [, code, place = ''] = /^#code=([0-9a-f]+)(\\/.*)?$/.exec(location.hash) ?? [];
  // First, before anything can fail: the code must not stay in the address bar or the history.
  if (location.hash.startsWith('#code=')) history.replaceState(null, '', '/' + (place && '#' + place));

  // An address of \`memd web\` that is opened in this tab changes only the fragment.
  addEventListener('hashchange', () => {
    if (location.hash.startsWith('#code=')) location.reload();
  });

  const box = document.getElementById('memd-unlock');
  const say = (title, ...lines) => {
    const parts = [Object.assign(document.createElement('h1'), { textContent: title })];
    for (const line of lines) {
      const row = document.createElement('p');
      // Text between backquotes is a command.
      line.split('\`').forEach((text, at) => {
        row.append(at % 2 ? Object.assign(document.createElement('code'), { textContent: text }) : text);
      });
      parts.push(row);
    }
    box.replaceChildren(...parts);
    box.hidden = false;
  };
  // The link that opened this tab is kept. What a shell reads in quotes has none.
  const link = location.hash.startsWith('#/') ? " '" + location.hash.replaceAll("'", '%27').replaceAll('\`', '%60') + "'" : '';
  const again = 'In a terminal, in your project, run \`memd web' + link + '\`.';

  const ask = (path, bearer, method = 'GET') =>
    fetch(path, { method, headers: { authorization: 'Bearer ' + bearer }, cache: 'no-store' });

  const unlock = async () => {
    if (code === undefined) return sessionStorage.getItem(key);
    const response = await ask('/api/unlock', code, 'POST');
    if (response.ok) {
      const { token } = await response.json();
      sessionStorage.setItem(key, token);
      return token;
    }
    if ((await response.json()).error.code === 'code_used') {
      sessionStorage.removeItem(key);
      say('This link has been used', 'It opens the page once. Another person may have used it before you, ' +
        'so the daemon has changed its token: every open tab is locked.', again);
      return;
    }
    const former = sessionStorage.getItem(key);
    if (former === null) say('This link is no longer valid', 'It opens the page once, within a minute.', again);
    return former ?? undefined;
  };

  const load = async (token) => {
    const [style, script] = await Promise.all(['/assets/app.css', '/assets/app.js'].map((path) => ask(path, token)));
    if (style.status === 401 || script.status === 401) {
      sessionStorage.removeItem(key);
      return say('This tab is locked', 'The daemon has another token than this tab.', again);
    }
    if (!style.ok || !script.ok) {
      return say('The page is missing', 'This memd was built without its page, or cannot send it (' + script.status + ').');
    }
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = URL.createObjectURL(await style.blob());
    const styled = new Promise((done) => { link.onload = link.onerror = done; });
    document.head.append(link);
    const app = document.createElement('script');
    app.type = 'module';
    app.src = URL.createObjectURL(await script.blob());
    await styled;
    document.body.append(app);
    app.onload = () => { URL.revokeObjectURL(app.src); URL.revokeObjectURL(link.href); };
  };

  const run = async () => {
    const token = await unlock();
    if (token === undefined) return;
    if (token === null) say('This page is locked', 'It shows what your assistant did, so it opens only for you.', again);
    else await load(token);
  };
  run().catch(() => say('The daemon does not answer', 'Run \`memd start\`, then \`memd web\`.'));
})();
`;

export const unlockPolicy = pagePolicy({ script, style });

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>memd</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<main id="memd-unlock" hidden></main>
<noscript>memd's page needs JavaScript. The commands <code>memd info</code> and <code>mem search</code> show the same data.</noscript>
<script>${script}</script>
</body>
</html>
`;

export const unlockPage: Answer = {
  status: 401,
  type: 'text/html; charset=utf-8',
  // One buffer for all requests, since it needs no token.
  body: Buffer.from(html),
  headers: { 'Content-Security-Policy': unlockPolicy },
};
