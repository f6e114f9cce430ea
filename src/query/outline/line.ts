import { plainLine } from './plain-line.ts';

/** A line of recorded text. The one form in which outline and handoff show a memory. */
export interface Line {
  /** Of the memory or digest that says more; null while it has none. */
  readonly id: number | null;
  /** ISO 8601 */
  readonly ts: string;
  /** In whole: a line without room is left out, not cut. */
  readonly text: string;
  /** The other author who recorded it. */
  readonly author?: string | undefined;
  /** In whole too, the longest first, for when there is no room for `text`. */
  readonly shorter?: readonly string[];
  /** Files without any of which the line is not true any more. */
  readonly needs?: readonly string[];
  /** Files of which the line is true only when none exists. */
  readonly without?: readonly string[];
}

export interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
  /** Share of the space that it may take before the other sections. */
  readonly share: number;
  /** Its lines begin with the age of their `ts` when they are printed. */
  readonly aged?: boolean;
}

const lineCharsMax = 1_600;
const authorCharsMax = 80;

/** Quarters of a token: a Chinese, Japanese or Korean character is about one token, of others four make one. */
export function quartersOf(text: string): number {
  return text.length + 3 * (text.match(wide)?.length ?? 0);
}

const wide = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\u{20000}-\u{3ffff}]/gu;

/** Lines as they are shown, and the memories that they name. */
export interface Shown {
  readonly lines: readonly string[];
  readonly ids: readonly number[];
}

/** The lines that fit into `room` quarters of a token: first each section within its share, then the rest. */
export function fitting(sections: readonly Section[], room: number): Shown {
  const taken = sections.map((): string[] => []);
  let left = room;
  const fill = ({ title, lines }: Section, at: number, most: number): void => {
    let own = most;
    const chosen = taken[at] ?? [];
    for (let next = chosen.length; next < lines.length; next += 1) {
      const forms = formsOf(lines[next]);
      const head = next === 0 ? quartersOf(title) + 1 : 0;
      const fits = (space: number) => (form: string) => head + quartersOf(form) + 1 <= space;
      const free = Math.min(own, left);
      // Long lines leave room for those that come after them.
      const fair = (2 * free) / (lines.length - next + 1);
      const found = forms.slice(0, -1).find(fits(fair)) ?? forms.findLast(fits(free));
      if (found === undefined) return;
      own -= head + quartersOf(found) + 1;
      left -= head + quartersOf(found) + 1;
      chosen.push(found);
    }
  };
  for (const [at, section] of sections.entries()) fill(section, at, section.share * room);
  for (const [at, section] of sections.entries()) fill(section, at, left);
  for (const [at, { lines }] of sections.entries())
    for (const [n, before] of (taken[at] ?? []).entries()) {
      const space = left + quartersOf(before);
      const longer = formsOf(lines[n]).find((form) => quartersOf(form) <= space) ?? before;
      left = space - quartersOf(longer);
      taken[at]?.splice(n, 1, longer);
    }
  const chosen = sections.map(({ title, lines }, at) => ({ title, lines, said: taken[at] ?? [] }));
  const ids = chosen.flatMap(({ lines, said }) => lines.slice(0, said.length).flatMap(({ id }) => id ?? []));
  return {
    lines: chosen.flatMap(({ title, said }) => (said.length === 0 ? [] : [title, ...said])),
    ids: [...new Set(ids)],
  };
}

function formsOf(line: Line | undefined): readonly string[] {
  if (line === undefined) return [];
  const { id, ts, text, shorter = [], author } = line;
  const mark = id === null ? '' : `#${id} `;
  const from = author === undefined ? '' : `from ${plainLine(author, authorCharsMax)}: `;
  return [text, ...shorter].map(
    (words) => `${mark}${plainLine(ts.slice(0, 10), 10)} ${from}${plainLine(words, lineCharsMax)}`,
  );
}
