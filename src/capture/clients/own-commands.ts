import path from 'node:path';
import { type Command, forEachChild, type Pipeline, parse, type SyntaxNode } from 'unbash';
import { isOwnFile, isOwnPage, withHome } from './own-files.ts';
import {
  copies,
  documentOf,
  filesOf,
  inCode,
  interpreters,
  isBareShell,
  isOwnProgram,
  isQuiet,
  lookers,
  looks,
  nameOf,
  plainWords,
  scriptOf,
} from './own-words.ts';

const scanCharsMax = 8_000;
/** Each substitution costs the parser another pass. */
const substitutionsMax = 100;
/** Scripts that a shell or `eval` gets, and functions: a variable or a function may name itself. */
const scriptsMax = 20;
const valueCharsMax = 4_096;

/** What a command shows: memd's own, nothing that counts, something of the project; `work` also does something. */
type Shown = 'own' | 'quiet' | 'look' | 'work';

/** Whether a line shows memd's own output and neither shows nor does anything else. */
export function showsOwnInShell(command: string, cwd: string | null): boolean {
  if (!/\bmem|\.memd|:\d+\/api\//.test(command) || command.length > scanCharsMax) return false;
  if (command.split(/[$<>]\(|`/, substitutionsMax + 1).length > substitutionsMax) return false;
  return new CommandReader(cwd).script(command, null) === 'own';
}

/** What a list of commands shows together. */
function together(all: readonly Shown[]): Shown {
  return (['work', 'look', 'own'] as const).find((one) => all.includes(one)) ?? 'quiet';
}

class CommandReader {
  #cwd: string | null;
  #scripts = 0;
  readonly #variables = new Map<string, string>();
  readonly #functions = new Map<string, SyntaxNode | string>();
  /** Files that got memd's output. */
  readonly #written = new Set<string>();

  constructor(cwd: string | null) {
    this.#cwd = cwd;
  }

  /** `input`: what the commands before it in the pipe show; null without a pipe. */
  script(text: string, input: Shown | null): Shown {
    if (this.#scripts++ > scriptsMax) return 'quiet';
    // PowerShell's call operator.
    const plain = text.replace(/(^|[;\n|{(])(\s*)&(?=\s)/g, '$1$2');
    return together(parse(plain).commands.map(({ command }) => this.#node(command, input)));
  }

  #node(node: SyntaxNode, input: Shown | null): Shown {
    if (node.type === 'Command') return this.#command(node, input);
    if (node.type === 'Pipeline') return this.#pipeline(node);
    if (node.type === 'Assignment') return this.#assign(node.name, node);
    if (node.type === 'Function') {
      this.#functions.set(node.name.value, node.body);
      return 'quiet';
    }
    if (node.type === 'For' || node.type === 'Select') {
      // Its list is not shown.
      for (const word of node.wordlist ?? []) this.#children(word, null);
      return this.#node(node.body, input);
    }
    return this.#children(node, node.type === 'Word' || node.type === 'Redirect' ? null : input);
  }

  #children(node: SyntaxNode, input: Shown | null): Shown {
    const all: Shown[] = [];
    forEachChild(node, (child) => {
      all.push(this.#node(child, child.type === 'CommandExpansion' ? null : input));
    });
    return together(all);
  }

  /** Only what its last command shows is seen; what the others do is done. */
  #pipeline({ commands }: Pipeline): Shown {
    let input: Shown | null = null;
    let isWork = false;
    for (const [at, one] of commands.entries()) {
      const before = commands[at - 1];
      const said = before?.type === 'Command' ? this.#said(before) : null;
      const isShell = one.type === 'Command' && isBareShell(this.#words(one));
      const shown: Shown = isShell && said !== null ? this.script(said, null) : this.#node(one, input);
      // `| while read line; do echo "$line"; done` shows what it gets.
      input = shown === 'quiet' && one.type !== 'Command' ? (input ?? shown) : shown;
      isWork ||= input === 'work';
    }
    return isWork ? 'work' : (input ?? 'quiet');
  }

  /** What `echo` prints. */
  #said(command: Command): string | null {
    const [program = '', ...words] = this.#words(command);
    return /^(?:echo|printf)$/.test(program) ? words.filter((word) => !word.startsWith('-')).join(' ') : null;
  }

  #assign(name: string, node: SyntaxNode & { readonly text: string }): Shown {
    const value = this.#expanded(node.text.slice(name.length + 1).replace(/^(["'])(.*)\1$/s, '$2'));
    if (value.length <= valueCharsMax) this.#variables.set(name, value);
    const shown = this.#children(node, null);
    return shown === 'look' ? 'quiet' : shown;
  }

  #command(node: Command, input: Shown | null): Shown {
    const words = plainWords(this.#words(node));
    const [program = '', ...rest] = words;
    const name = nameOf(program);
    const set = node.prefix.map((one) => (one.type === 'Assignment' ? this.#assign(one.name, one) : 'quiet'));
    const code = scriptOf(words) ?? (isBareShell(words) ? documentOf(node.redirects) : null);
    if (code !== null) return this.script(code, input);
    const called = this.#functions.get(program);
    if (called !== undefined) return this.#call(called, rest, input);
    if (name === 'cd' || name === 'pushd') {
      this.#cwd = path.resolve(this.#cwd ?? '/', withHome(rest[0] ?? '~'));
      return 'quiet';
    }
    if (name === 'alias') for (const word of rest) this.#alias(word);
    if (name === 'xargs') return this.#each(rest, input);
    if (isOwnProgram(words, this.#cwd)) return this.#write(node);
    const given = together([...node.args, ...node.redirects].map((one) => this.#node(one, null)));
    if (program === '') return together([...set, given]);
    if (isQuiet(words)) return given === 'look' ? 'quiet' : given;
    const shown = this.#reads(name, words, node, { input, given });
    return shown === 'own' ? this.#write(node) : shown;
  }

  /** What a program shows that may read files: those that it names, what it gets, or what is in the folder. */
  #reads(
    name: string,
    words: readonly string[],
    { args, redirects }: Command,
    { input, given }: { readonly input: Shown | null; readonly given: Shown },
  ): Shown {
    if (copies.test(name)) {
      const last = words.at(-1) ?? '';
      if (!words.slice(1, -1).some((word) => this.#isOwnFile(word))) return 'work';
      this.#written.add(last);
      return 'quiet';
    }
    if (/^(?:curl|wget|https?|iwr|Invoke-\w+)$/.test(name)) return words.some(isOwnPage) ? 'own' : 'work';
    if (!looks.test(name) && !interpreters.test(name)) return lookers.test(name) ? 'look' : 'work';
    const isGiven = args.some((one) => one.type === 'Word' && /^[<>]\(/.test(one.text));
    const read = redirects.flatMap((one) =>
      one.type === 'Redirect' && one.operator === '<' ? [this.#expanded(one.target?.value ?? '')] : [],
    );
    const files = [...read, ...filesOf(name, words).filter((word) => !/^[<>]\(/.test(word))];
    if (interpreters.test(name)) {
      const texts = [...files, documentOf(redirects) ?? ''].flatMap((one) => [one, ...one.split(inCode)]);
      if (texts.some((one) => this.#isOwnFile(one) || isOwnPage(one))) return 'own';
      return input !== null && words.some((word) => /^-(?:\w*[cemnp]|-eval)$/.test(word)) ? input : 'work';
    }
    return isGiven && files.length === 0 ? given : this.#shownOf(files, input);
  }

  /** What a program shows of files, or of what it gets. */
  #shownOf(files: readonly string[], input: Shown | null): Shown {
    const own = files.filter((file) => this.#isOwnFile(file));
    if (own.length > 0) return own.length === files.length || input === null ? 'own' : 'look';
    if (input !== null) return files.some((file) => /\w\/|\/\w|\.\w{1,5}$/.test(file)) ? 'look' : input;
    return files.length === 0 && this.#cwd !== null && isOwnFile(this.#cwd, null) ? 'own' : 'look';
  }

  #call(body: SyntaxNode | string, args: readonly string[], input: Shown | null): Shown {
    if (typeof body === 'string') return this.script([body, ...args].join(' '), input);
    if (this.#scripts++ > scriptsMax) return 'quiet';
    for (const [at, word] of ['', ...args].entries()) this.#variables.set(String(at), word);
    for (const all of ['@', '*']) this.#variables.set(all, args.join(' '));
    return this.#node(body, input);
  }

  #alias(word: string): void {
    const [name = '', ...value] = word.split('=');
    // One that names itself.
    if (value.length > 0) this.#functions.set(name, `command ${value.join('=')}`);
  }

  /** The command that `xargs` starts for what it gets. */
  #each(words: readonly string[], input: Shown | null): Shown {
    const at = words.findIndex((word, place) => !/^-|^[\d{}%]+$/.test(word) && words[place - 1] !== '-d');
    const line = plainWords(at < 0 ? [] : words.slice(at));
    const code = scriptOf(line);
    if (code !== null) return this.script(code, null);
    if (isOwnProgram(line, this.#cwd)) return 'own';
    if (line.length === 0 || isQuiet(line)) return input ?? 'quiet';
    return looks.test(nameOf(line[0] ?? '')) ? 'look' : 'work';
  }

  /** Own output, also in the files that get it. */
  #write({ redirects }: Command): Shown {
    for (const one of redirects)
      if (one.type === 'Redirect' && one.operator.includes('>') && one.target !== undefined)
        this.#written.add(this.#expanded(one.target.value));
    return 'own';
  }

  #isOwnFile(word: string): boolean {
    return this.#written.has(word) || isOwnFile(word, this.#cwd);
  }

  /** The words of a command; a variable outside of quotes may be several. */
  #words({ name, args }: Command): string[] {
    return [...(name === undefined ? [] : [name]), ...args].flatMap((one) => {
      if (one.type !== 'Word') return [one.text.replace(/=(['"])(.*)\1$/s, '=$2')];
      const word = this.#expanded(one.value);
      return /^"?\$\{?[\w@*]+\}?"?$/.test(one.text) && !/^"\$\{?\w/.test(one.text) ? word.split(' ') : [word];
    });
  }

  #expanded(text: string): string {
    return text.replace(
      /\$\{?([A-Za-z_]\w*|[\d@*])\}?/g,
      (whole, name: string) => this.#variables.get(name) ?? whole,
    );
  }
}
