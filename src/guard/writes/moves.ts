import path from 'node:path';
import { type JsonObject, objectsAt } from '#core/event';
import { isPath, kindOf, looksLikePath, type Purpose, wordsOf } from './arguments.ts';

/** A path in the arguments of a call. */
export interface Name {
  readonly text: string;
  /** Otherwise it may be no path: it counts when the file exists. */
  readonly isSure: boolean;
}

const moveVerbs = /^(?:copy|cp|move|moves|mv|rename|link|symlink|duplicate|swap)$/;
const endKeys = /^(?:from|to|source|src|target|destination|dest|old|new|oldname|newname)$/;

/** What a tool moves, and where to, also in a list of moves: a new name stands for a file in the folder of the old one. */
export function ends(written: JsonObject, input: JsonObject, purpose: Purpose): Name[] {
  const { words } = purpose;
  if (!words.some((word) => moveVerbs.test(word))) return [];
  const inner = Object.keys(written).flatMap((key) => objectsAt(written, key));
  const folder = Object.entries(input).find(
    ([key, one]) => kindOf(key) === 'path' && typeof one === 'string',
  )?.[1];
  const textsIn = (args: JsonObject): string[] =>
    Object.entries(args).flatMap(([key, one]) => {
      const name = wordsOf(key).join('');
      if (typeof one !== 'string' || !endKeys.test(name) || !isPath(one)) return [];
      const isSibling = name === 'newname' && typeof folder === 'string' && looksLikePath(one);
      return isSibling ? [path.join(path.dirname(folder), one)] : [one];
    });
  // `{from: "Todo", to: "Doing"}`
  const isSure = textsIn(input).some(looksLikePath);
  const own = textsIn(written).map((text) => ({ text, isSure }));
  return [...own, ...inner.flatMap((step) => ends(step, step, purpose))];
}
