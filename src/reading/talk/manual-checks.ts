import { clip } from '#reading/text';
import { unitsOf } from './units.ts';

/** What a plan wants a person to look at: no call shows whether it was done. Each in a line. */
export function manualChecksIn(plan: string): string[] {
  if (!/^\s*Implement the following plan:/.test(plan)) return [];
  const units = unitsOf(plan).filter(({ kind }) => kind === 'item' || kind === 'sentence');
  return units
    .flatMap(({ text, section }, at) => {
      if (!checking.test(section) || !manual.test(text)) return [];
      // `Manual test:` belongs to what it lists.
      const listed = text.endsWith(':') ? units.slice(at + 1, at + 1 + listedMax) : [];
      const parts = listed.filter((unit) => unit.section === section).map((unit) => unit.text);
      return [clip([text, parts.join('; ')].join(' ').trim(), checkCharsMax)];
    })
    .slice(0, checksMax);
}

const checking = /\b(?:verif|test|check)/i;
const manual = /\bmanual(?:ly)?\b|^visual\b|\bvisual(?:ly)? (?:check|confirm|verif|inspect)/i;
const listedMax = 2;
const checkCharsMax = 200;
const checksMax = 3;
