import {
  type Command,
  type CompoundList,
  forEachChild,
  type PipelineNode,
  parse,
  type Statement,
  type SyntaxNode,
} from 'unbash';
import { type CommitMessage, statedMessage } from './commit-message.ts';

const scanCharsMax = 8_000;
/** Each substitution costs another pass, so a script with more is read without them. */
const substitutionsMax = 100;

/** The commands between two `;`, `&&`, `||` or line ends, outside the brackets, loops and branches around them. */
export interface Pipeline {
  /** The words of each command as typed, without output redirections and variables of the environment. */
  readonly commands: readonly (readonly string[])[];
  /** The script fails when this pipeline fails. */
  readonly mustPass: boolean;
}

export interface Script {
  /** The script on one line, without comments, here-documents and commit messages. */
  readonly text: string;
  readonly pipelines: readonly Pipeline[];
  /** Texts of here-documents. */
  readonly documents: readonly string[];
  /** The message of the first commit that states one. */
  readonly commit: CommitMessage | null;
}

/** Parses at most `scanCharsMax` characters. Invalid shell gives the commands before the error. */
export function readScript(command: string): Script {
  const source = command.slice(0, scanCharsMax).replace(/\\\r?\n\s*/g, ' ');
  const reader = new ScriptReader(source);
  reader.statements(parse(source).commands, true, []);
  return { ...reader, text: reader.text() };
}

type Commands = Pipeline['commands'];
type Cut = Pick<SyntaxNode, 'pos' | 'end'>;

class ScriptReader {
  readonly pipelines: Pipeline[] = [];
  readonly documents: string[] = [];
  commit: CommitMessage | null = null;
  readonly #source: string;
  readonly #hasFew: boolean;
  /** Ranges that are not part of the script's line: here-documents, and line ends in words and commit messages. */
  readonly #texts: Cut[] = [];
  readonly #others: Cut[] = [];

  constructor(source: string) {
    this.#source = source;
    this.#hasFew = source.split(/[$<>]\(|`/, substitutionsMax + 1).length <= substitutionsMax;
  }

  /** `after`: the commands that read the output of all of these. */
  statements(statements: readonly Statement[], mustPass: boolean, after: Commands): void {
    for (const [at, { command }] of statements.entries()) {
      this.#node(command, mustPass && at === statements.length - 1, after);
    }
  }

  #node(node: PipelineNode | Statement['command'], mustPass: boolean, after: Commands): void {
    switch (node.type) {
      case 'Command':
        this.pipelines.push({ commands: [this.#words(node), ...after], mustPass });
        for (const one of node.prefix) this.#substitutions(one, mustPass);
        return;
      case 'AndOr':
        for (const [at, one] of node.commands.entries()) {
          const isLast = at === node.commands.length - 1;
          this.#node(one, isLast ? mustPass : node.operators[at] === '&&', after);
        }
        return;
      case 'Pipeline': {
        const [first, ...rest] = node.commands;
        const filters = rest.map((one) =>
          one.type === 'Command' ? this.#words(one) : [one.type.toLowerCase()],
        );
        if (first !== undefined) this.#node(first, mustPass, [...filters, ...after]);
        for (const one of rest) if (one.type !== 'Command') this.#node(one, false, []);
        return;
      }
      case 'Redirected':
        for (const redirect of node.redirects) this.#text(redirect);
        this.#node(node.command, mustPass, after);
        return;
      case 'Subshell':
      case 'BraceGroup':
        this.statements(node.body.commands, mustPass, after);
        return;
      case 'TestCommand':
        this.pipelines.push({ commands: [this.#slice(node).split(' '), ...after], mustPass });
        return;
      case 'If':
        for (const part of [node, ...node.elif]) this.#body(part.then, after);
        if (node.else !== undefined) this.#body(node.else, after);
        return;
      case 'Case':
        for (const { body } of node.items) this.#body(body, after);
        return;
      case 'For':
      case 'Select':
      case 'While':
      case 'ArithmeticFor':
      case 'Function':
      case 'Coproc':
        this.#body(node.body, after);
        return;
      case 'ArithmeticCommand':
        return;
    }
  }

  /** The commands of a loop, a branch or a function. Their exit status does not show. */
  #body(body: CompoundList | Statement['command'], after: Commands): void {
    if (body.type === 'CompoundList') this.statements(body.commands, false, after);
    else this.#node(body, false, after);
  }

  /** The commands of `$(...)` in the value of a variable. */
  #substitutions(node: SyntaxNode, mustPass: boolean): void {
    if (node.type === 'CommandExpansion') this.statements(node.script?.commands ?? [], mustPass, []);
    else if (this.#hasFew && this.#slice(node).includes('$('))
      forEachChild(node, (child) => this.#substitutions(child, mustPass));
  }

  #words(command: Command): string[] {
    const nodes = [...(command.name === undefined ? [] : [command.name]), ...command.suffix];
    for (const node of nodes) this.#text(node);
    const stated = statedMessage(command, this.documents);
    this.commit ??= stated?.message ?? null;
    const options = new Set<SyntaxNode>(stated?.options);
    this.#others.push(...options);
    return nodes.filter((node) => !options.has(node) && isWord(node)).map((node) => this.#slice(node));
  }

  /** Notes the here-documents and line ends in a node. */
  #text(node: SyntaxNode): void {
    if (node.type === 'HereDoc') {
      this.documents.push(node.body.text.replace(/\n$/, ''));
      this.#texts.push({ pos: node.body.pos, end: node.closing?.end ?? node.body.end });
      return;
    }
    for (let at = this.#source.indexOf('\n', node.pos); at >= 0 && at < node.end; ) {
      this.#others.push({ pos: at, end: at + 1 });
      at = this.#source.indexOf('\n', at + 1);
    }
    if (this.#hasFew && this.#source.slice(node.pos, node.end).includes('<<')) this.#documentsIn(node);
  }

  #documentsIn(node: SyntaxNode): void {
    forEachChild(node, (child) => {
      if (child.type === 'HereDoc') this.#text(child);
      else this.#documentsIn(child);
    });
  }

  #slice({ pos, end }: SyntaxNode): string {
    const text = this.#source.slice(pos, end);
    return (text.includes('<<') ? this.#plain(pos, end, this.#texts) : text).replace(/\s+/g, ' ');
  }

  /** The script on one line. */
  text(): string {
    return this.#plain(0, this.#source.length, [...this.#texts, ...this.#others])
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'))
      .join('; ');
  }

  /** A range of the source without the cuts. */
  #plain(from: number, to: number, cuts: Cut[]): string {
    let text = '';
    let at = from;
    for (const { pos, end } of cuts.sort((a, b) => a.pos - b.pos || b.end - a.end)) {
      if (pos < at || pos >= to) continue;
      text += `${this.#source.slice(at, pos)} `;
      at = end;
    }
    return text + this.#source.slice(at, to);
  }
}

/** A word of the command, or an input of it. */
function isWord(node: SyntaxNode): boolean {
  if (node.type === 'Redirect') return node.operator === '<' && node.target?.text !== '/dev/null';
  return node.type !== 'FileDescriptor';
}
