import { expect, it } from 'vitest';
import { preToolUse } from '#assistants/form';
import { denial } from './call.ts';

it('denies by what it prints, or by an exit status', () => {
  const { stdout, ...others } = denial(preToolUse, 'no bread');
  expect(JSON.parse(stdout)).toMatchObject({
    hookSpecificOutput: { permissionDecisionReason: 'no bread' },
  });
  expect(others).toEqual({ stderr: '', status: 0 });
  expect(denial({ ...preToolUse, deny: 2 }, 'no bread')).toEqual({
    stdout: '',
    stderr: 'no bread\n',
    status: 2,
  });
});
