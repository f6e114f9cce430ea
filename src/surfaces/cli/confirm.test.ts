import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { confirm } from './confirm.ts';

async function answered(text: string): Promise<{ yes: boolean; shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asked = confirm('Sure? [y/N] ', input, output);
  input.end(text);
  return { yes: await asked, shown: String(output.read()) };
}

test.each(['y\n', 'Y\n', ' yes \n', 'YES\r\n'])('%j is a yes', async (text) => {
  expect(await answered(text)).toEqual({ yes: true, shown: 'Sure? [y/N] ' });
});

test.each(['\n', 'n\n', 'no\n', 'yesterday\n', 'delete\n', '', 'why?\ny\n'])('%j is a no', async (text) => {
  expect((await answered(text)).yes).toBe(false);
});
