import { plain } from '../../boundary/index.ts';
import type { Search } from './findings.ts';
import type { State } from './state.ts';
import type { Word } from './stdin.ts';

/** `find`: `-delete`, `-exec` and its kin, and the files that `-fprint` and its kin write. */
export function findCommand(
  words: readonly Word[],
  state: State,
  run: (words: readonly Word[], state: State) => void,
): void {
  const search = searchOf(words, state);
  const mark = state.findings.markOf(search);
  for (const [at, word] of words.entries()) {
    const text = word?.text ?? '';
    if (text === '-delete') state.add({ kind: 'found', at: state.cwdCandidates, ...search });
    if (/^-f(?:print0?|printf|ls)$/.test(text)) state.emit('write', words[at + 1]);
    if (/^-(?:exec|execdir|ok|okdir)$/.test(text)) {
      const rest = words.slice(at + 1);
      const end = rest.findIndex((one) => one?.text === ';' || one?.text === '+');
      const inner = state.subshell();
      const command = rest.slice(0, end === -1 ? undefined : end);
      run(
        command.map((one) => (one?.text.includes('{}') ? plain(one.text.replaceAll('{}', mark)) : one)),
        inner,
      );
    }
  }
}

/** The start folders and the names of a `find`; no names when it chooses by something else as well. */
export function searchOf(all: readonly Word[], state: State): Search {
  // Options for links stand before the folders.
  const start = all.findIndex((word) => !/^-[HLP]$/.test(word?.text ?? ''));
  const words = all.slice(Math.max(0, start));
  const first = words.findIndex((word) => /^[-(!]/.test(word?.text ?? ''));
  const before = first === -1 ? words : words.slice(0, first);
  const starts = before.map((word) => state.findings.withoutMarks(word));
  const tests = first === -1 ? [] : words.slice(first);
  const names: string[] = [];
  for (const [at, test] of tests.entries()) {
    const isNegated = /^(?:!|-not)$/.test(tests[at - 1]?.text ?? '');
    const name = tests[at + 1];
    if (/^-i?name$/.test(test?.text ?? '') && !isNegated && name) names.push(name.text);
  }
  const texts = tests.map((test) => test?.text ?? '');
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
