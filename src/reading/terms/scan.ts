import { foldMarks } from './fold.ts';

const termCharsMax = 256;

/** One run of text that belongs together. */
export interface Scanned {
  /** `word`: letters, digits and joiners, case kept. `unspaced`: a run of a script written without spaces. */
  readonly kind: 'word' | 'unspaced';
  readonly text: string;
}

/**
 * The words of `text` in order: identifiers, paths, versions and codes whole (`src/a_b.ts`, `v1.2.3`), without
 * the punctuation around them. Linear in the text; a word longer than `termCharsMax` (base64, minified code) is skipped.
 */
export function* scan(text: string): Generator<Scanned> {
  const folded = foldMarks(text).replace(driveLetterPath, (path) => path.replaceAll('\\', '/'));
  for (const match of folded.matchAll(runs)) {
    const run = match[0];
    if (run.length > termCharsMax) continue;
    if (match[1] !== undefined) {
      yield { kind: 'unspaced', text: run };
      continue;
    }
    const word = run.replace(/^_+|_+$/g, '');
    if (word !== '') yield { kind: 'word', text: word };
  }
}

/** Scripts that put no space between words: Han, kana, Hangul (spaced, but agglutinating), Thai and kin. */
const unspacedScripts =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}' +
  '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\u30fc';

/**
 * A run of an unspaced script (group 1), or word characters held together by single joiners; `c++`, `c#`
 * keep their sign. Only letters, marks and digits make a word, as in FTS5. Joiners must be between word characters, so no
 * alternative overlaps another and the match is linear.
 */
const wordCharacter = `(?:(?![${unspacedScripts}])[\\p{L}\\p{M}\\p{N}_])`;
const runs = new RegExp(
  `((?:(?=[\\p{L}\\p{M}\\p{N}])[${unspacedScripts}])+)|${wordCharacter}+(?:[-./+]${wordCharacter}+)*(?:\\+\\+|#(?![\\p{L}\\p{N}]))?`,
  'gu',
);

const driveLetterPath = /\b[A-Za-z]:\\[^\s"'<>|*?]+/g;
