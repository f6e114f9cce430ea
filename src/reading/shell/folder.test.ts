import { expect, test } from 'vitest';
import { readStored } from '#reading/call';
import { folderOf } from './folder.ts';

function folder(cwd: string | null, command: string, root: string | null = null): string | null {
  const call = readStored(JSON.stringify({ tool: 'Bash', input: { command }, output: '', cwd }));
  return call && folderOf(call, root);
}

test.each([
  ['/mill', 'cd wheel && make test', '/mill/wheel'],
  ['/mill', 'cd wheel/axle; cd .. && make', '/mill/wheel'],
  ['/mill', 'make test', '/mill'],
  [null, 'cd /mill && make', '/mill'],
  ['/mill', 'Push-Location wheel; make test; Pop-Location', '/mill/wheel'],
  ['/mill', 'pushd wheel && make test; popd', '/mill/wheel'],
  // Recorded after the command had gone there.
  ['/mill/wheel', 'cd wheel && make test', '/mill/wheel'],
  ['/mill/wheel/axle', 'cd wheel/axle/ && make test', '/mill/wheel/axle'],
  ['/mill/wheel/axle', 'cd ./wheel/axle && make test', '/mill/wheel/axle'],
  ['/mill/wheel', 'cd .. && make', '/mill'],
  ['/mill', 'Push-Location wheel; make test ; Pop-Location', '/mill/wheel'],
  ['/mill', 'set -o pipefail; cd "wheel" && make | tee log', '/mill/wheel'],
  ['/mill', 'cd wheel\nmake', '/mill/wheel'],
  ['/mill/waterwheel', 'cd wheel && make', '/mill/waterwheel/wheel'],
])('in %s, %j works in %s', (cwd, command, expected) => expect(folder(cwd, command)).toBe(expected));

test('a session that began in mill goes to mill/mill', () =>
  expect(folder('/mill', 'cd mill && make', '/mill')).toBe('/mill/mill'));
