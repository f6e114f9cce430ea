import { SessionAccounts } from '#memory/account';
import { BrowseSessions, type StepCursor, type Store } from '#memory/store';
import { headOf, sessionDiff, stepDetail, stepsOf } from '#query/sessions';
import { Standings } from '#query/state';
import { loadAssets } from './assets.ts';
import { hashOf } from './policy.ts';

const stepsPerRead = 500;
/** Characters of calls in the file; the calls after them keep their line, and opening one says that the file has no more. */
const detailCharsMax = 24 * 1024 * 1024;
const changeCharsMax = 8 * 1024 * 1024;

export interface SavedPageOptions {
  /** The folder of the workspace. */
  readonly root: string;
  /** The folder of the page's files. */
  readonly assets: string;
  readonly savedMs: number;
}

/**
 * The page's view of a session as one HTML file: script, style and data are in it, and its policy lets it load nothing else.
 * Null if the session has no event.
 * @throws Error when the build has no page
 */
export async function savedPage(
  store: Store,
  sessionId: string,
  { root, assets, savedMs }: SavedPageOptions,
): Promise<string | null> {
  const session = new BrowseSessions(store).session(sessionId);
  if (session === null) return null;
  const steps = allSteps(store, sessionId);
  const details: Record<string, object> = {};
  let left = detailCharsMax;
  for (const { seq, kind } of steps) {
    if (kind !== 'call' || left <= 0) continue;
    const detail = stepDetail(store, seq);
    if (detail === null) continue;
    left -= JSON.stringify(detail).length;
    if (left > 0) details[seq] = detail;
  }
  const account = new SessionAccounts(store).of(sessionId);
  const data = {
    ...{
      ...headOf(store, session, account),
      standing: await new Standings(root).now(account),
      steps,
      details,
    },
    ...{ changes: changesOf(store, sessionId, steps), root, savedMs },
  };
  return documentOf(loadAssets(assets, ''), JSON.stringify(data));
}

type Steps = ReturnType<typeof stepsOf>['steps'];

function allSteps(store: Store, sessionId: string): Steps {
  const steps: Steps = [];
  for (let after: StepCursor | null = null; ; ) {
    const part = stepsOf(store, sessionId, after, stepsPerRead);
    steps.push(...part.steps);
    if (part.isEnd) return steps;
    after = part.last;
  }
}

/** By path: what the session changed in each file altogether. */
function changesOf(store: Store, sessionId: string, steps: Steps): Record<string, object> {
  const paths = new Set(steps.flatMap(({ files = [] }) => files.map(({ path }) => path)));
  const changes: [string, object][] = [];
  let left = changeCharsMax;
  for (const path of paths) {
    const change = sessionDiff(store, sessionId, path);
    left -= JSON.stringify(change).length;
    if (left < 0) break;
    changes.push([path, change]);
  }
  // `Object.fromEntries` makes an own property of any name, also of `__proto__`.
  return Object.fromEntries(changes);
}

function documentOf(assets: ReturnType<typeof loadAssets>, data: string): string {
  const script = textOf(assets, '/assets/app.js');
  const style = textOf(assets, '/assets/app.css');
  if (/<\/script|<!--/i.test(script) || /<\/style/i.test(style))
    throw new Error('the page has text that would end its own element');
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>memd</title>
<style>${style}</style>
</head>
<body>
<div id="app"><p>This file shows the session with its own script. Open it in a browser that runs scripts.</p></div>
<script type="application/json" id="memd-saved">${inScript(data)}</script>
<script type="module">${script}</script>
</body>
</html>`;
}

function textOf(assets: ReturnType<typeof loadAssets>, path: string): string {
  const body = assets.get(path)?.body;
  if (body === undefined) throw new Error(`the page has no ${path}`);
  return Buffer.from(body).toString('utf8');
}

/** JSON that holds no character that HTML, or a terminal, would obey. */
function inScript(json: string): string {
  return json.replace(
    /[<>&\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
