import { describe, expect, test } from 'vitest';
import { endedCommand } from '../../../test/support/calls/sample.ts';
import { checked, commandVerdict } from './run.ts';

const ended = (...of: Parameters<typeof endedCommand>): string => checked(endedCommand(...of));

describe('a check that never began', () => {
  test('is not ok behind a pipe', () => {
    const call = endedCommand('rtk bun run test 2>&1 | tail -20', ["error: unrecognized subcommand 'bun'"]);
    expect([checked(call), commandVerdict(call)]).toEqual(['none', 'failed']);
  });

  test('has no end where a step before it failed, or where its flag is not possible', () => {
    const format = [
      '> mill@1.0.0 format',
      '> biome check --write',
      'src/a.ts:3:7 parse ━━━',
      'error: 1 file',
    ];
    expect(ended('npm run format && npm run check', format, 1)).toBe('none');
    expect(ended('npm test', ['> mill@1.0.0 pretest', '> tsc', 'src/a.ts:3:7 error TS1: x'], 1)).toBe(
      'failed',
    );
    expect(
      ended('go test ./... -race', ['go: -race requires cgo; enable cgo by setting CGO_ENABLED=1'], 2),
    ).toBe('none');
  });
});

test('MSBuild says in any language whether it succeeded', () => {
  const lines = (errors: number) => [
    'Oluşturma bitti.',
    '    0 Uyarı',
    `    ${errors} Hata`,
    '',
    'Geçen Süre 00:00:02.69',
  ];
  expect(ended('dotnet build mill.sln 2>&1 | tail -8', lines(0))).toBe('passed');
  expect(ended('dotnet build mill.sln 2>&1 | tail -8', lines(2))).toBe('failed');
});
