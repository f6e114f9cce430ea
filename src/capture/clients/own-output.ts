import os from 'node:os';
import path from 'node:path';
import { type Command, forEachChild, parse, type SyntaxNode } from 'unbash';
import { isObject, type Json, own, toolFamily } from '../../core/event/index.ts';

const scanCharsMax = 8_000;
/** Each substitution costs the parser another pass. */
const substitutionsMax = 100;
const pathCharsMax = 4_096;
/** Scripts that a shell or `eval` gets; a variable may hold its own name. */
const scriptsMax = 20;

/**
 * Whether a call shows what memd itself has stored or says, and nothing else: `mem` and `memd` in a shell, or a file below `~/.memd`. A
 * command that does other work too does not count.
 */
export function showsOwnOutput(tool: string, input: Json | undefined, cwd: string | null): boolean {
  const family = toolFamily(tool);
  if (family !== 'command')
    return /^(?:read|search|other)$/.test(family) && pathsIn(input, 0).some((one) => isOwnFile(one, cwd));
  const command = commandIn(input);
  if (!/\bmem|\.memd/.test(command) || command.length > scanCharsMax) return false;
  if (command.split(/[$<>]\(|`/, substitutionsMax + 1).length > substitutionsMax) return false;
  const reader = new CommandReader(cwd);
  reader.read(command);
  return reader.isOwn && !reader.isWork;
}

function commandIn(input: Json | undefined): string {
  if (!isObject(input)) return typeof input === 'string' ? input : '';
  const given = ['command', 'cmd', 'command_line', 'CommandLine'].map((key) => own(input, key));
  const line = given.find((one) => typeof one === 'string' || Array.isArray(one)) ?? '';
  return Array.isArray(line)
    ? line.map((word) => `'${String(word).replaceAll("'", "'\\''")}'`).join(' ')
    : String(line);
}

/** The values of arguments that name a file. */
function pathsIn(value: Json | undefined, depth: number): string[] {
  if (typeof value === 'string') return depth > 0 ? [value] : [];
  if (depth > 3 || typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((one) => pathsIn(one, depth + 1));
  return Object.entries(value).flatMap(([key, inner]) =>
    pathKeys.test(key) ? pathsIn(inner, depth + 1) : [],
  );
}

const pathKeys = /path|file|dir|folder|uri|^root$|^db$|database/i;

/** A file or folder of memd's own. A project's `.memd/scope.json` is not. */
function isOwnFile(name: string, cwd: string | null): boolean {
  if (!name.includes('.memd') || name.length > pathCharsMax) return false;
  const whole = path.resolve(cwd ?? '/', withHome(name.replace(/^file:\/\//, '')));
  if (path.basename(whole) === 'scope.json') return false;
  const base = path.join(os.homedir(), '.memd');
  return `${whole}/`.startsWith(`${base}/`) || /\/\.memd\/[^/]+\/(?:workspaces|logs)(?:\/|$)/.test(whole);
}

/** What the commands of a line do: show memd's own output, or other work. Filters and what only moves about do neither. */
class CommandReader {
  isOwn = false;
  isWork = false;
  #cwd: string | null;
  #scripts = 0;
  readonly #variables = new Map<string, string>();
  /** Files that got such output. */
  readonly #written = new Set<string>();

  constructor(cwd: string | null) {
    this.#cwd = cwd;
  }

  read(command: string): void {
    if (this.#scripts++ > scriptsMax) return;
    for (const { command: node } of parse(command).commands) this.#node(node, false);
  }

  /** `isFilter`: it reads the output of the commands before it. */
  #node(node: SyntaxNode, isFilter: boolean): void {
    if (node.type === 'Command') this.#command(node, isFilter);
    else if (node.type === 'Pipeline')
      for (const [at, one] of node.commands.entries()) this.#node(one, isFilter || at > 0);
    else if (node.type === 'Assignment') this.#assign(node.name ?? '', node);
    else forEachChild(node, (child) => this.#node(child, isFilter && child.type !== 'CommandExpansion'));
  }

  #assign(name: string, node: SyntaxNode & { readonly text: string }): void {
    const value = this.#expanded(node.text.slice(name.length + 1).replace(/^(["'])(.*)\1$/s, '$2'));
    if (value.length <= pathCharsMax) this.#variables.set(name, value);
    forEachChild(node, (child) => this.#node(child, false));
  }

  #command(node: Command, isFilter: boolean): void {
    const nodes = [...(node.name === undefined ? [] : [node.name]), ...node.args];
    const words = nodes.flatMap((one) => (one.type === 'Word' ? [this.#expanded(one.value)] : []));
    const [program = ''] = withoutRunners(words);
    const files = node.redirects.flatMap((one) =>
      one.type === 'Redirect' && one.target !== undefined
        ? [{ one, name: this.#expanded(one.target.value) }]
        : [],
    );
    if (program === 'cd') {
      this.#cwd = path.resolve(this.#cwd ?? '/', withHome(words[1] ?? '~'));
      return;
    }
    const script = scriptIn(words);
    if (script !== null) {
      this.read(script);
      return;
    }
    const names = [...(idle.test(program) ? [] : words), ...files.map(({ name }) => name)];
    if (isOwnProgram(words) || this.#namesOwnFile(names)) {
      this.isOwn = true;
      for (const { one, name } of files) if (one.operator.includes('>')) this.#written.add(name);
      return;
    }
    const before = this.isOwn;
    this.isOwn = false;
    for (const one of [...node.prefix, ...nodes]) this.#node(one, false);
    // `cat <(mem recent)`
    const isGiven = this.isOwn;
    this.isOwn ||= before;
    if (program === '' || idle.test(program) || isFilter) return;
    if (!(isGiven && looks.test(path.basename(program)))) this.isWork = true;
  }

  #namesOwnFile(words: readonly string[]): boolean {
    if (words.length > 0 && this.#cwd !== null && isOwnFile(this.#cwd, null)) return true;
    const parts = words.flatMap((word) => [word, ...word.split(/[\s'"=,;()<>|@]+/)]);
    return parts.some((part) => this.#written.has(part) || isOwnFile(part, this.#cwd));
  }

  #expanded(text: string): string {
    return text.replace(
      /\$\{?([A-Za-z_]\w*)\}?/g,
      (whole, name: string) => this.#variables.get(name) ?? whole,
    );
  }
}

function withHome(text: string): string {
  return text.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, os.homedir());
}

/** Neither the project's work nor what is stored. */
const idle =
  /^(?:pushd|popd|echo|printf|true|false|:|test|\[|set|export|unset|local|declare|read|sleep|wait|exit|return|date|pwd|clear)$/;
const looks =
  /^(?:cat|less|more|head|tail|grep|egrep|rg|diff|comm|paste|wc|sort|uniq|cut|tr|sed|awk|jq|fold|column|curl)$/;

/** They start the program that follows, after options and their values. */
const runners =
  /^(?:sudo|doas|env|time|command|exec|builtin|nohup|setsid|stdbuf|nice|ionice|timeout|gtimeout|watch|xargs|caffeinate|unbuffer|corepack|npx|pnpx|bunx|pnpm|yarn|bun|node|rtk|proxy)$/;

/** Whether a word only leads to the program: a runner, a variable, or behind them an option or a number. */
function leads(words: readonly string[], at: number): boolean {
  const word = words[at] ?? '';
  const name = path.basename(word);
  if (/^[A-Za-z_]\w*=/.test(word) || runners.test(name)) return true;
  if (at === 0) return name === 'npm' && /^(?:exec|x)$/.test(words[1] ?? '');
  return (
    /^(?:-.*|[\d.]+[smhd]?|memdaemon(?:@.*)?)$/.test(word) ||
    (/^(?:exec|x|dlx)$/.test(word) && managers.test(words[at - 1] ?? ''))
  );
}

const managers = /(?:^|\/)(?:npm|pnpm|yarn|bun)$/;

function withoutRunners(words: readonly string[]): readonly string[] {
  const at = words.findIndex((_, place) => !leads(words, place));
  return at < 0 ? [] : words.slice(at);
}

/** `mem search`, also behind runners. An unknown command is of a project's own program of that name. */
function isOwnProgram(words: readonly string[]): boolean {
  const isValue = (at: number): boolean => at > 1 && /^(?:-\w|--[\w-]+)$/.test(words[at - 1] ?? '');
  const end = words.findIndex((_, at) => !leads(words, at) && !isValue(at));
  return words.slice(0, end < 0 ? undefined : end + 1).some((word, at) => {
    return isOwnName(word) && commands.has(words.slice(at + 1).find((one) => !one.startsWith('-')) ?? '');
  });
}

function isOwnName(word: string): boolean {
  const isInstalled = !word.includes('/') || /^[/~$]|node_modules\//.test(word);
  return (
    /(?:^|\/)memd?\.cjs$|^\$\((?:which|command -v) memd?\)$/.test(word) ||
    (isInstalled && /(?:^|\/)(?:memd?|memdaemon(?:@[\w.-]+)?)$/.test(word))
  );
}

/** The script that a shell gets as an argument. */
function scriptIn(words: readonly string[]): string | null {
  const line = withoutRunners(words);
  const program = path.basename(line[0] ?? '');
  if (program === 'eval') return line.slice(1).join(' ');
  if (!/^(?:ba|da|z|k|a)?sh$|^(?:script|su)$/.test(program)) return null;
  const at = line.findIndex((word) => /^-\w*c$/.test(word));
  return at < 0 ? null : (line[at + 1] ?? null);
}

/** Of `mem` and `memd`. */
export const ownCommands =
  'search why show recent timeline log resume handoff sessions pin unpin promote forget prune export import completion remember up init setup start stop restart info doctor logs monitor web backfill drain adopt workspaces sync focus install uninstall hook mcp scope';
const commands = new Set(ownCommands.split(' '));
