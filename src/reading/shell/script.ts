import {
  type AndOr,
  type Command,
  type CompoundList,
  forEachChild,
  type If,
  type PipelineNode,
  type Pipeline as PipelineSyntax,
  type Statement,
  type SyntaxNode,
  type While,
} from 'unbash';
import { type CommitMessage, statedMessage } from './commit-message.ts';
import { withoutLead } from './lead.ts';
import { Moves } from './moves.ts';
import { awaitedBy, diverts, isWord, scriptIn } from './nodes.ts';
import { parsed, quotedTexts } from './powershell.ts';
import { verifies } from './verifies.ts';

const scanCharsMax = 8_000;
/** Each substitution costs another pass, so a script with more is read without them. */
const substitutionsMax = 100;

/** The commands between two `;`, `&&`, `||` or line ends, outside the brackets, loops and branches around them. */
export interface Pipeline {
  /** The words of each command as typed, without output redirections and variables of the environment. */
  readonly commands: readonly (readonly string[])[];
  /** The script fails when this pipeline fails, and it runs whenever the script succeeds. */
  readonly mustPass: boolean;
  /** It runs after the one before when that one passed (`&&`), failed (`||`), or in any case. */
  readonly follows: '&&' | '||' | ';';
  /** Nobody waits for it. */
  readonly isBackground: boolean;
  /** What it prints goes to a file. */
  readonly isDiverted: boolean;
  /** The variables that it sets: `rc=$?`. */
  readonly sets: readonly string[];
  /** Where it runs, from the folder in which the script begins. */
  readonly folder: string;
  /** A loop runs it until it passes. */
  readonly isAwaited: boolean;
}

export interface Script {
  /** The script on one line, without comments, here-documents and commit messages. */
  readonly text: string;
  readonly pipelines: readonly Pipeline[];
  /** Texts of here-documents. */
  readonly documents: readonly string[];
  /** The messages of its commits that state one. */
  readonly commits: readonly CommitMessage[];
}

/** Parses at most `scanCharsMax` characters. Invalid shell gives the commands before the error. */
export function readScript(command: string): Script {
  const source = quotedTexts(command.slice(0, scanCharsMax)).replace(/\\\r?\n\s*/g, ' ');
  const reader = new ScriptReader(source);
  reader.statements(parsed(source).commands, { ...bare, mustPass: true });
  const { pipelines, documents, commits } = reader;
  return { pipelines, documents, commits, text: reader.text() };
}

type Cut = Pick<SyntaxNode, 'pos' | 'end'>;

/** What the commands around a command mean for it. */
interface Context extends Omit<Pipeline, 'commands' | 'sets' | 'folder'> {
  /** The commands that read its output. */
  readonly filters: Pipeline['commands'];
}

const bare = { follows: ';', isBackground: false, isDiverted: false, isAwaited: false, filters: [] } as const;

class ScriptReader {
  readonly pipelines: Pipeline[] = [];
  readonly documents: string[] = [];
  readonly commits: CommitMessage[] = [];
  readonly #source: string;
  readonly #hasFew: boolean;
  /** Ranges that are not part of the script's line: here-documents, and line ends in words and commit messages. */
  readonly #texts: Cut[] = [];
  readonly #others: Cut[] = [];
  readonly #moves: Moves;
  /** `set -e` */
  #endsAtFailure = false;

  constructor(source: string, moves = new Moves()) {
    this.#source = source;
    this.#moves = moves;
    this.#hasFew = source.split(/[$<>]\(|`/, substitutionsMax + 1).length <= substitutionsMax;
  }

  statements(statements: readonly Statement[], context: Context): void {
    for (const [at, { command, background = false }] of statements.entries()) {
      const isShown = at === statements.length - 1 || this.#endsAtFailure;
      const read = (): void =>
        this.#node(command, {
          ...context,
          mustPass: context.mustPass && isShown && !background,
          follows: at === 0 ? context.follows : ';',
          isBackground: context.isBackground || background,
        });
      if (background) this.#moves.apart(read);
      else read();
    }
  }

  #node(node: PipelineNode | Statement['command'], context: Context): void {
    switch (node.type) {
      case 'Command':
        this.#command(node, context);
        return;
      case 'AndOr':
        this.#andOr(node, context);
        return;
      case 'Pipeline':
        this.#pipeline(node, context);
        return;
      case 'Redirected':
        for (const redirect of node.redirects) this.#text(redirect);
        this.#node(node.command, { ...context, isDiverted: context.isDiverted || diverts(node.redirects) });
        return;
      case 'Subshell':
        this.#moves.apart(() => this.statements(node.body.commands, context));
        return;
      case 'BraceGroup':
        this.statements(node.body.commands, context);
        return;
      case 'TestCommand':
        this.#push(this.#slice(node).split(' '), [], context);
        return;
      case 'If':
        this.#branches(node, context);
        return;
      case 'ArithmeticCommand':
        return;
      case 'Case':
        for (const { body } of node.items) this.#body(body, { ...context, mustPass: false });
        return;
      case 'While':
      case 'For':
      case 'Select':
      case 'ArithmeticFor':
      case 'Function':
      case 'Coproc':
        if (node.type === 'While') this.#awaited(node, context);
        this.#moves.apart(() => this.#body(node.body, { ...context, mustPass: false }));
        return;
    }
  }

  #push(words: readonly string[], sets: readonly string[], { filters, ...rest }: Context): void {
    this.pipelines.push({ commands: [words, ...filters], sets, folder: this.#moves.folder, ...rest });
    this.#moves.take(words);
  }

  /** The check that a loop waits for; what else one waits for is no work. */
  #awaited(node: While, context: Context): void {
    const command = awaitedBy(node, this.#source);
    const before = this.pipelines.length;
    if (command !== null) this.#node(command, { ...context, mustPass: false, isAwaited: true });
    const found = this.pipelines.slice(before);
    if (!found.some(({ commands: [words = []] }) => verifies(withoutLead(words))))
      this.pipelines.splice(before);
  }

  #command(node: Command, context: Context): void {
    const words = this.#words(node);
    if (words[0] === 'set' && words.some((word) => /^-[a-z]*e/.test(word))) this.#endsAtFailure = true;
    const inner = scriptIn(node);
    const own = { ...context, isDiverted: context.isDiverted || diverts(node.redirects) };
    if (inner === null) {
      const sets = node.prefix.flatMap((one) => (one.type === 'Assignment' ? [this.#slice(one)] : []));
      this.#push(words, sets, own);
    } else {
      const reader = new ScriptReader(inner, this.#moves);
      this.#moves.apart(() => reader.statements(parsed(inner).commands, own));
      // A time limit may have ended a loop, and only its own exit status says so.
      const isShown = own.mustPass && own.filters.length === 0;
      this.pipelines.push(...reader.pipelines.filter(({ isAwaited }) => isShown || !isAwaited));
      this.documents.push(...reader.documents);
      this.commits.push(...reader.commits);
    }
    for (const one of node.prefix) this.#substitutions(one, context.mustPass);
  }

  #andOr({ commands, operators }: AndOr, context: Context): void {
    for (const [at, one] of commands.entries()) {
      // Success does not show that the left side of `||` passed, nor that its right side ran.
      const mustPass = context.mustPass && !operators.slice(Math.max(at - 1, 0)).includes('||');
      this.#node(one, { ...context, mustPass, follows: operators[at - 1] ?? context.follows });
    }
  }

  #pipeline({ commands: [first, ...rest], prefixes }: PipelineSyntax, context: Context): void {
    const piped = rest.map((one) => (one.type === 'Command' ? this.#words(one) : [one.type.toLowerCase()]));
    // Behind `!`, as behind a pipe, the exit status is not that of the command.
    const own = prefixes.some(({ type }) => type === 'Negation') ? [...piped, ['!']] : piped;
    const isDiverted = context.isDiverted || rest.some((one) => 'redirects' in one && diverts(one.redirects));
    if (first !== undefined)
      this.#node(first, { ...context, isDiverted, filters: [...own, ...context.filters] });
    for (const one of rest)
      if (one.type !== 'Command') this.#node(one, { ...context, mustPass: false, filters: [] });
  }

  #branches(node: If, context: Context): void {
    const hidden = { ...context, mustPass: false };
    for (const { clause, then } of [node, ...node.elif]) {
      this.#body(clause, hidden);
      this.#body(then, { ...hidden, follows: '&&' });
    }
    if (node.else !== undefined) this.#body(node.else, { ...hidden, follows: '||' });
  }

  /** The commands of a loop, a branch or a function. Their exit status does not show. */
  #body(body: CompoundList | Statement['command'], context: Context): void {
    if (body.type === 'CompoundList') this.statements(body.commands, context);
    else this.#node(body, context);
  }

  /** The commands of `$(...)` in the value of a variable. */
  #substitutions(node: SyntaxNode, mustPass: boolean): void {
    if (node.type === 'CommandExpansion')
      this.#moves.apart(() => this.statements(node.script?.commands ?? [], { ...bare, mustPass }));
    else if (this.#hasFew && this.#slice(node).includes('$('))
      forEachChild(node, (child) => this.#substitutions(child, mustPass));
  }

  #words(command: Command): string[] {
    const nodes = [...(command.name === undefined ? [] : [command.name]), ...command.suffix];
    for (const node of nodes) this.#text(node);
    const stated = statedMessage(command, this.documents);
    if (stated !== null) this.commits.push(stated.message);
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
