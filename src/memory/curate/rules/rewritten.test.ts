import { describe, expect, test } from 'vitest';
import { edit, finding, type TestCall, write } from '../../../../test/support/curate/calls.ts';
import { rewritten } from './rewritten.ts';

const plain = 'const fee = order.total / 100;';
const byCountry = 'const fee = feeFor(order.country, order.total);';
const rounded = 'const fee = roundUp(feeFor(order.country, order.total));';
const inCart = (line: string): string =>
  `export function cartTotal(order: Order) {\n  ${line}\n  return order.total + fee;`;
const inTax = (line: string): string =>
  `export function taxTotal(order: Order) {\n  ${line}\n  return order.tax + fee;`;

describe('rewritten', () => {
  test('an edit of the lines that an edit wrote replaces it', () => {
    const found = finding(rewritten, edit(1, plain, byCountry), edit(2, byCountry, rounded));
    expect(found?.kind).toBe('supersedes');
    expect(found?.evidence).toContain(`took out \`${byCountry}\``);
  });

  test('an edit elsewhere in the file, or of some of the lines, replaces nothing', () => {
    expect(
      finding(rewritten, edit(1, plain, byCountry), edit(2, 'const tax = readTax();', rounded)),
    ).toBeNull();
    const wrote = `${byCountry}\nconst limit = limitFor(order.country);\nconst free = fee < limit;`;
    expect(finding(rewritten, edit(1, plain, wrote), edit(2, byCountry, rounded))).toBeNull();
  });

  test('the same line in another function is another line', () => {
    const older = edit(1, inCart(plain), inCart(byCountry));
    expect(finding(rewritten, older, edit(2, inTax(byCountry), inTax(rounded)))).toBeNull();
    expect(finding(rewritten, older, edit(2, inCart(byCountry), inCart(rounded)))).not.toBeNull();
  });

  test('a short line may stand anywhere: only what undoes it exactly counts', () => {
    const older = edit(1, 'first,\nsecond,', 'first,\nkey,\nsecond,');
    expect(finding(rewritten, older, edit(2, 'third,\nkey,\nfourth,', 'third,\nfourth,'))).toBeNull();
    expect(finding(rewritten, edit(1, 'old', 'key'), edit(2, 'key', 'old'))).not.toBeNull();
  });

  test('what was taken out and is back', () => {
    const found = finding(rewritten, edit(1, inCart(plain), inCart('')), edit(2, inCart(''), inCart(plain)));
    expect(found?.evidence).toContain('brought back');
  });

  test('a removal is not undone with the remark that it left', () => {
    const block = Array.from({ length: 8 }, (_, at) => `checkTheOrder(order, ${at});`).join('\n');
    const remark = '// The order has been checked before';
    expect(
      finding(rewritten, edit(1, block, remark), edit(2, `${remark}\nship(order);`, 'ship(order);')),
    ).toBeNull();
  });

  test('a file written again replaces what is no longer in it', () => {
    const older = edit(1, plain, byCountry);
    expect(finding(rewritten, older, write(2, `export const rate = 0.01;\n${plain}`))).not.toBeNull();
    expect(finding(rewritten, older, write(2, `export const rate = 0.01;\n${byCountry}`))).toBeNull();
    const [one, other] = ['one', 'other'].map(
      (name) => `export const ${name} = 1;\nexport const ${name}Rate = 2;`,
    );
    expect(finding(rewritten, write(1, one ?? ''), write(2, other ?? ''))).not.toBeNull();
    expect(finding(rewritten, write(1, one ?? ''), write(2, `${one}\n${other}`))).toBeNull();
  });

  test('of a file that was cut nobody knows what is in it', () => {
    const cut = `${plain}\n[... 900 characters cut by memd ...]\nexport const a = 1;`;
    expect(finding(rewritten, edit(1, plain, byCountry), write(2, cut))).toBeNull();
  });

  test('a failed edit wrote nothing, and replaces nothing', () => {
    const failed: Partial<TestCall> = { isError: true, output: 'String to replace not found in file.' };
    expect(finding(rewritten, edit(1, plain, byCountry, failed), edit(2, byCountry, rounded))).toBeNull();
    expect(finding(rewritten, edit(1, plain, byCountry), edit(2, byCountry, rounded, failed))).toBeNull();
  });

  test('two sessions side by side that undo each other disagree', () => {
    const older = edit(1, plain, byCountry);
    const undone = (at: number): TestCall => edit(at, byCountry, plain, { sessionId: 's2' });
    expect(finding(rewritten, older, undone(5), [], true)?.kind).toBe('contradicts');
    expect(finding(rewritten, older, undone(5), [], false)?.kind).toBe('supersedes');
    expect(finding(rewritten, older, undone(500), [], true)?.kind).toBe('supersedes');
  });
});
