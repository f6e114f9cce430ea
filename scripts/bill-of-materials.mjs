// What is in the package, as CycloneDX: npm's own list, reduced to what is installed with it and what is bundled into dist/.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { root } from './ready.mjs';

/** The same bytes for the same lock file, build and `seconds` (Unix time). */
export function billOfMaterials(seconds) {
  const { name } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
  const all = npmSbom();
  const installed = new Set(npmSbom('--omit', 'dev').components.map((one) => one['bom-ref']));
  const bundled = new Set(bundledPackages());
  const components = all.components
    .filter((one) => installed.has(one['bom-ref']) || bundled.has(one['bom-ref']))
    .map((one) => ({ ...one, properties: propertiesOf(one, installed.has(one['bom-ref'])) }));
  const missing = [...bundled].filter((ref) => !components.some((one) => one['bom-ref'] === ref));
  if (missing.length > 0) throw new Error(`bundled, and not in the lock file: ${missing.join(', ')}`);
  const kept = new Set([all.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])]);
  const dependencies = all.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }));
  // npm's number is new each time; the format does not need one.
  const { serialNumber: _, metadata, ...rest } = all;
  // npm takes the name of the folder.
  const component = { ...metadata.component, name };
  return {
    ...rest,
    metadata: { ...metadata, timestamp: new Date(seconds * 1000).toISOString(), component },
    components,
    dependencies,
  };
}

function propertiesOf({ properties = [] }, isInstalled) {
  const lasting = properties.filter((one) => !/:(?:path|development)$/.test(one.name));
  return isInstalled ? lasting : [...lasting, { name: 'cdx:npm:package:bundled', value: 'true' }];
}

function npmSbom(...options) {
  const fixed = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const args = ['sbom', ...fixed, '--loglevel=error', ...options];
  return JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
}

/** `name@version` of the head of `dist/THIRD-PARTY-LICENSES`. */
function bundledPackages() {
  const text = readFileSync(`${root}dist/THIRD-PARTY-LICENSES`, 'utf8');
  return [...text.matchAll(/^ {2}(\S+) (\d\S*) \(.+\)$/gm)].map(([, name, version]) => `${name}@${version}`);
}
