// The badges of the README, drawn from package.json: no service is asked for them. `node scripts/badges.mjs` writes them;
// test/tidy/badges.test.ts fails when one is old.
import fs from 'node:fs';
import { root } from './ready.mjs';

const { version, license, engines, dependencies } = JSON.parse(
  fs.readFileSync(`${root}package.json`, 'utf8'),
);

/** By the name of the file in docs/pictures. */
export const badges = {
  'badge-version.svg': badge('version', version),
  'badge-node.svg': badge('node', engines.node),
  'badge-license.svg': badge('license', license),
  'badge-dependencies.svg': badge('dependencies', String(Object.keys(dependencies).length)),
};

function badge(label, value) {
  const [left, right] = [label, value].map((text) => Math.round(text.length * 6.4 + 14));
  const shown = value.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${shown}">
<rect width="${left + right}" height="20" rx="4" fill="#2f6f5e"/><path d="M4 0h${left - 4}v20h-${left - 4}a4 4 0 0 1-4-4v-12a4 4 0 0 1 4-4" fill="#3b4048"/>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle"><text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${shown}</text></g>
</svg>
`;
}

if (process.argv[1] === import.meta.filename)
  for (const [name, text] of Object.entries(badges)) fs.writeFileSync(`${root}docs/pictures/${name}`, text);
