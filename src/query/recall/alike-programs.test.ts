import { describe, expect, test } from 'vitest';
import { onlyLooks, readCommand } from '#reading/shell';
import { shared } from './alike.ts';

const programs = (command: string): readonly string[] => readCommand(command).programs;

describe('the programs of a command', () => {
  test('that only look differ from those that work', () => {
    expect(onlyLooks(programs('grep -r x . | head; git log -3'))).toBe(true);
    expect(onlyLooks(programs('ls && npm test'))).toBe(false);
  });

  test('are shared by program, whatever was asked of a server', () => {
    expect(shared(programs('gh api repos/a/1 -f x=1'), programs('gh api repos/b/c/2 -f x=1'))).toBe(1);
    expect(shared(programs('gh api repos/a/1 -f x=1'), programs('gh api repos/a/1'))).toBe(0);
    expect(shared([], ['npm test'])).toBe(0);
  });
});
