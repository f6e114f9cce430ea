import { stripVTControlCharacters } from 'node:util';
import { harmless } from '#core/text';

/** `1234567` as `1,234,567`. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 file`, `2 days`, `2 memories`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${value === 1 ? noun : `${noun}s`.replace(/(?<![aeiou])ys$/, 'ies')}`;
}

/** `45 s`, `12 min`, `3 h 20 min`, `5 days`. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
  return `${Math.floor(minutes / 1440)} days`;
}

/** `3 h 20 min ago`, `2 days ago`; after a week the local date, `2026-02-11`. */
export function ago(ts: string, nowMs: number): string {
  const seconds = (nowMs - Date.parse(ts)) / 1000;
  if (Number.isNaN(seconds)) return ts;
  if (seconds >= weekSeconds) return dateWords(new Date(ts));
  if (seconds >= daySeconds) return `${plural(Math.floor(seconds / daySeconds), 'day')} ago`;
  return seconds < 5 ? 'just now' : `${duration(seconds)} ago`;
}

/** The local time of day: `16:05`. */
export function timeOf(ts: string): string {
  const date = new Date(ts);
  return Number.isNaN(date.getTime()) ? '--:--' : `${two(date.getHours())}:${two(date.getMinutes())}`;
}

const daySeconds = 86_400;
const weekSeconds = 7 * daySeconds;
const two = (value: number): string => String(value).padStart(2, '0');

/** In local time: `2026-02-11`. */
export function dateWords(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** With a capital first letter. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** In lines of at most `width` columns, each after `indent`. What is quoted is to be copied: it stays in one piece. */
export function wrap(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  const orWords = (piece: string) =>
    columnsOf(piece) > width - indent.length ? piece.split(/\s+/) : [piece];
  for (const paragraph of text.split('\n')) {
    let line = '';
    let room = 0;
    for (const word of (paragraph.match(pieces) ?? []).flatMap(orWords)) {
      room -= 1 + columnsOf(word);
      if (line !== '' && room < 0) {
        lines.push(line);
        line = '';
      }
      if (line === '') room = width - indent.length - columnsOf(word);
      line = line === '' ? word : `${line} ${word}`;
    }
    lines.push(line);
  }
  return lines.map((line) => indent + line).join('\n');
}

const pieces = /(?:`[^`]+`|"[^"]+"|\S)+/g;

/** What a terminal needs for it: two columns for a Chinese, Japanese or Korean character, and for a pair of surrogates. */
export function columnsOf(text: string): number {
  const shown = stripVTControlCharacters(text);
  return shown.length + (shown.match(wide)?.length ?? 0);
}

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

/** On a terminal, lines that are too wide are wrapped after their own indentation; others keep their columns. In a pipe all do. */
export function fitted(
  text: string,
  { isTerminal, columns }: { isTerminal: boolean; columns: number },
): string {
  if (!isTerminal) return text;
  const lines = text.split('\n').map((line) => {
    const [indent = ''] = /^[ ]*/.exec(line) ?? [];
    return columnsOf(line) <= columns ? line : wrap(line, columns, indent);
  });
  return lines.join('\n');
}

/** Paths in the home folder begin with `~`; a longer path may have the same names in its middle. */
export function inHome(text: string, { env }: { readonly env: NodeJS.ProcessEnv }): string {
  if (!env.HOME) return text;
  const home = `${env.HOME}/`;
  return text
    .split(home)
    .reduce((before, after) => before + (/[\w:/.-]$/.test(before) ? home : '~/') + after);
}

/** What others wrote, as a terminal may have it. */
export const printable = harmless;

/** The same on one line: a name in it is no line of its own. */
export function inLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ');
}
