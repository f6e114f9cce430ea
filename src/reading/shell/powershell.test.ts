import { expect, test } from 'vitest';
import { readScript } from './script.ts';

const commandsIn = (command: string): string[] =>
  readScript(command).pipelines.map(({ commands: [words = []] }) => words.join(' '));

test.each([
  ['$mill = Get-Content a.md -Raw; Set-Content -Path a.md -Value ($mill -replace "a","b") -NoNewline', 2],
  ['if (Test-Path out) { "there" } else { "none" }', 0],
  ["foreach ($one in @('a', 'b')) { (Get-FileHash $one).Hash + ';' }", 0],
  ['(Get-Content a.ts -Raw).Replace("rye", "oat") | Set-Content a.ts', 1],
  ['$rows = (Get-Content a.md | Where-Object { $_ -match "^\\|" }).Count - 2', 0],
])('what only PowerShell reads hides nothing behind it: %s', (statement, own) => {
  for (const end of ['; ', '\n']) {
    const found = commandsIn(`${statement}${end}go test ./...${end}Write-Output done`);
    expect(found.slice(own)).toEqual(['go test ./...', 'Write-Output done']);
  }
});

test('what nothing ends takes no command with it', () => {
  const command = 'Get-Content a.md; function mill() { echo "x" }; npm test';
  expect(commandsIn(command)).toContain('npm test');
});

test('invalid shell still ends where it is invalid', () => {
  expect(commandsIn('npm test; for ((; rm -rf mill')).not.toContain('rm -rf mill');
});

test('a script that goes on in another folder is read to its end', () => {
  const script =
    "Push-Location a; & 'go.exe' test ./...; Pop-Location; Push-Location b; node --test | Select-Object -Last 3";
  const { pipelines } = readScript(script);
  expect(commandsIn(script).join()).toContain('node --test');
  expect(pipelines.at(-1)?.folder).toBe('b');
});
