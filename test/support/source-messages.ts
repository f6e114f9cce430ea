import { shownBy } from './shown-places.ts';
import { type Callee, hole, marked, type Scope, Texts, withoutMarks } from './source-texts.ts';
import { type Node, readSources, type Source } from './syntax.ts';

/** A text that the product can put before a person, or into its log as a warning. */
export interface SourceMessage {
  /** With `hole` for what is only known later. */
  readonly text: string;
  readonly file: string;
}

interface Said {
  readonly text: string;
  readonly scope: Scope;
  readonly file: string;
}

/** All of them, each once, followed through the functions, constants and choices that it is put together by. */
export function sourceMessages(sources: readonly Source[] = readSources()): SourceMessage[] {
  const texts = new Texts(sources);
  const said: Said[] = [];
  texts.walk((node, scope, file) => {
    for (const shown of shownBy(node, scope, file)) {
      for (const text of texts.of(shown, scope)) said.push({ text, scope, file });
    }
  });
  const found = new Map<string, SourceMessage>();
  for (const one of throughCallers(texts, said)) {
    const text = withoutMarks(one.text)
      .replaceAll(/\u0000+/g, hole)
      .trim();
    if (/[a-z]{3}/.test(text)) found.set(text, { text, file: one.file });
  }
  return [...found.values()];
}

/** A text that waits for a parameter is what each caller makes of it. */
function throughCallers(texts: Texts, said: readonly Said[]): Said[] {
  const calls: { node: Node; callee: Callee; scope: Scope; file: string }[] = [];
  texts.walk((node, scope, file) => {
    const callee = node.type === 'CallExpression' ? texts.calleeOf(node, file) : null;
    if (callee !== null && !scope.includes(callee)) calls.push({ node, callee, scope, file });
  });
  const whole: Said[] = [];
  let open = said;
  for (let round = 0; round < roundsMax && open.length > 0; round += 1) {
    const next: Said[] = [];
    for (const one of open) {
      const waited = marked(one.text, one.scope);
      const callers = calls.filter(({ callee }) => callee === waited);
      if (waited === null || callers.length === 0) whole.push(one);
      for (const { node, callee, scope, file } of callers)
        next.push(...texts.filled(one.text, callee, node, scope).map((text) => ({ text, scope, file })));
    }
    open = next;
  }
  return [...whole, ...open];
}

/** A message is handed on through no more functions than this. */
const roundsMax = 6;
