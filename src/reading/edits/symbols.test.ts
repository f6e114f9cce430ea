import { expect, it } from 'vitest';
import { declared } from './index.ts';

it.each([
  ['\tRunForAllMills(t, func(t *testing.T, mill string) {', null],
  ['  withMill(mill, (one) => {', null],
  ['  grind(rye: Rye, done: (flour: Flour) => void): void {', 'grind'],
  ['  async bake(bread = loaf()) {', 'bake'],
  ['const enum Grain {', 'Grain'],
  ['export declare const enum Grain {', 'Grain'],
  ['export const enumerate = 1;', 'enumerate'],
])('%j declares %j', (line, name) => expect(declared(line, 'code')).toBe(name));
