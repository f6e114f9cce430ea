import fs from 'node:fs';
import path from 'node:path';
import type { Answer } from './answer.ts';

const bridgeAssetBytesMax = 8 * 1024 * 1024;

/**
 * The page's files by their path, all read now: no request reaches the file system. Empty when the build has no page.
 * @throws Error when they are larger than `bridgeAssetBytesMax`
 */
export function loadAssets(folder: string, policy: string): ReadonlyMap<string, Answer> {
  const assets = new Map<string, Answer>();
  if (!fs.existsSync(folder)) return assets;
  let bytes = 0;
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath ?? entry.path, entry.name);
    const type = types[path.extname(entry.name)];
    if (type === undefined) continue;
    const body = fs.readFileSync(file);
    bytes += body.length;
    if (bytes > bridgeAssetBytesMax)
      throw new Error(`${folder} holds more than ${bridgeAssetBytesMax} bytes`);
    const headers = entry.name.endsWith('.html') ? { 'Content-Security-Policy': policy } : {};
    assets.set(pathOf(path.relative(folder, file)), { status: 200, type, body, headers });
  }
  return assets;
}

/** `/assets/app.js`; the folder's `index.html` is `/`. */
function pathOf(relative: string): string {
  const name = relative.split(path.sep).join('/');
  return name === 'index.html' ? '/' : `/${name}`;
}

/** Files of other kinds (source maps) are not served. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
};
