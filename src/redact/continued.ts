import type { Scanner } from './rule.ts';

/**
 * Finds no secret: notes where a name and its value may stand on two lines, which a number or a sign before the second
 * one would hide from the other rules.
 */
export const continued: Scanner = {
  keywords: [
    'value',
    'default',
    'machine ',
    ' login',
    'curl ',
    'mysql',
    'sshpass',
    'password>',
    'secret>',
    'token>',
  ],
  begin(text, _add, notes) {
    return (start, end) => {
      if (notes.isPrefixed) return;
      const word = text.slice(start, end).toLowerCase();
      notes.isPrefixed = goesOn(text, word, start, end);
    };
  },
};

function goesOn(text: string, word: string, start: number, end: number): boolean {
  if (word === 'machine ') return true;
  if (word === 'value' || word === 'default') {
    if (!/^\\{0,8}["']?[ \t]{0,8}[:=]/.test(text.slice(end, end + 20))) return false;
    return /(?:name|key)\\{0,8}["']?[ \t]{0,8}[:=][^\n]*\n[^\n]*$/i.test(
      text.slice(Math.max(0, start - 240), start),
    );
  }
  const rest = text.slice(end, end + 400);
  return word.endsWith('>') ? /^[ \t\r]*\n/.test(rest) : /^[^\n]*\\\r?\n/.test(rest);
}
