/**
 * Lines, paths and sentences of recorded text: cleaned, shortened, relative to a folder.
 * This room knows nothing about tools.
 */
export { hijackIn } from './hijack.ts';
export { clip, counted, edgesOf, firstLine, listed, oneLine, plainLines, quoted } from './lines.ts';
export { onceByText } from './once-by-text.ts';
export { type Dialect, dialectOf, isScratch, plainPath, relativePaths, shownPath } from './paths.ts';
export { readableOutput } from './records.ts';
export { firstSentence, sentenceEnd, sentencePlaces, sentencesOf } from './sentence.ts';
