import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sourceMessages } from '../support/source-messages.ts';
import { hole } from '../support/source-texts.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = fs.readFileSync(path.join(root, 'docs/troubleshooting.md'), 'utf8');

/** What the page calls by a word what differs. */
const placeholders =
  'FILE FOLDER SOCKET PLACE PID NUMBER VALUE NAME ID TIME PORT VERSION ADDRESS STATUS MODEL SETTING RULE FIELD CLIENT LIST REASON WORDS';
const placeholder = new RegExp(`\\b(?:${placeholders.replaceAll(' ', '|')})\\b`);

/** Texts that the sources show and that tell of no trouble. */
const untroubled = new Set([
  // A colour, the frame around a note, a result.
  'red',
  `memd: ${hole}`,
  `${hole} written to ${hole}`,
  // What stands around others, which are there one by one.
  `${hole} API error: ${hole}`,
  `HOSTEDLLM_API_KEY is malformed: ${hole}`,
  // Of lines of transcripts, which are counted and not shown.
  'the line is too long',
  'the line is not one JSON object',
  'the record is too long or not one JSON object',
]);

/** An op and its field before what a library says of it: nothing that could be searched for. */
const frame = new RegExp(`^daemon/ops.ts: [a-z]+(?:: ${hole})+$`);

/** What libraries say in our name: commander, valibot. */
const ofLibraries = /^(?:error: |Invalid type: )/;

interface Entry {
  readonly text: string;
  readonly covers: (message: string) => boolean;
}

const entries = [...page.matchAll(/^- (`{1,2})(.+)\1$/gm)].map(([, , text = '']) => entryOf(text));
const messages = sourceMessages().filter(
  ({ text, file }) => !untroubled.has(text) && !frame.test(`${file}: ${text}`),
);

function entryOf(text: string): Entry {
  const pieces = text.split(placeholder).map((piece) => piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const pattern = new RegExp(`^${pieces.join('(.+?)')}$`, 's');
  return { text, covers: (message) => isSameWords(pattern.exec(message)) };
}

/** A placeholder stands for a name, a number, a reason; not for words of ours that somebody would search for. */
function isSameWords(found: RegExpExecArray | null): boolean {
  return found?.slice(1).every((part) => (part.match(/\b[a-z]{2,}\b/g) ?? []).length <= 2) === true;
}

test('every message of the sources stands on the page', () => {
  const missing = messages.filter(({ text }) => !entries.some(({ covers }) => covers(text)));
  expect(messages.length).toBeGreaterThan(250);
  expect(missing.map(({ text, file }) => `${file}: ${text.replaceAll(hole, '…')}`)).toEqual([]);
});

test('every message on the page is one of the sources', () => {
  const stale = entries.filter(
    ({ covers, text }) => !ofLibraries.test(text) && !messages.some((one) => covers(one.text)),
  );
  expect(stale.map(({ text }) => text)).toEqual([]);
});

test('every message on the page has words to search for, stands there once, and says what to do', () => {
  const texts = entries.map(({ text }) => text);
  expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  expect(texts.filter((text) => !/[a-z]{2}/.test(text.split(placeholder).join('')))).toEqual([]);
  const groups = page
    .split(/\n(?=- `)/)
    .slice(1)
    .filter((group) => group.includes('\n\n'));
  expect(
    groups.filter((group) => !/^ {2}\*\*Do:\*\* \S/m.test(group)).map((group) => group.slice(0, 80)),
  ).toEqual([]);
});
