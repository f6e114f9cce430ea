import { plain } from '#guard/boundary';
import type { Search } from './findings.ts';
import type { Command, State } from './state.ts';
import { unknownInput, type Word } from './stdin.ts';

/** `find`: `-delete`, `-exec` and its kin, and the files that `-fprint` and its kin write. */
export const findCommand: Command = (words, state) => {
  const search = searchOf(words, state);
  const mark = state.findings.markOf(search);
  for (const [at, word] of words.entries()) {
    const { text } = word;
    if (text === '-delete') state.add({ kind: 'found', at: state.cwdCandidates, ...search });
    if (/^-f(?:print0?|printf|ls)$/.test(text)) state.emit('write', words[at + 1]);
    if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const rest = words.slice(at + 1);
      const end = rest.findIndex((one) => one.text === ';' || one.text === '+');
      const command = rest
        .slice(0, end === -1 ? undefined : end)
        .map((one) => (one.text.includes('{}') ? plain(one.text.replaceAll('{}', mark)) : one));
      state.subshell().runInner(command, unknownInput);
    }
  }
};

/** The start folders and the names of a `find`; no names when it chooses by something else as well. */
export function searchOf(all: readonly Word[], state: State): Search {
  // Options for links stand before the folders.
  const start = all.findIndex(({ text }) => !/^-[HLP]$/.test(text));
  const words = all.slice(Math.max(0, start));
  const first = words.findIndex(({ text }) => /^[-(!]/.test(text));
  const before = first === -1 ? words : words.slice(0, first);
  const starts = before.map((word) => state.findings.withoutMarks(word));
  const tests = first === -1 ? [] : words.slice(first);
  const names: string[] = [];
  for (const [at, test] of tests.entries()) {
    const isNegated = /^(?:!|-not)$/.test(tests[at - 1]?.text ?? '');
    const name = tests[at + 1];
    if (/^-i?name$/.test(test.text) && !isNegated && name) names.push(name.text);
  }
  const texts = tests.map(({ text }) => text);
  const isEither = texts.some((text) => text === '-o' || text === '-or' || text === ',');
  // Alternatives without a name match more than the names.
  const isByNameAlone = !texts.some((text) =>
    /^-(?:type|path|i?wholename|i?path|size|empty|m?time|mmin|newer|perm|user|i?regex)$/.test(text),
  );
  return {
    starts: starts.length > 0 || before.length > 0 ? starts : state.from.slice(0, 1).map(() => plain('.')),
    names: isEither && !isByNameAlone ? [] : names,
  };
}
