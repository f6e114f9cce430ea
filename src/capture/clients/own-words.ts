import path from 'node:path';
import type { Redirection } from 'unbash';
import { withoutLead } from '#reading/shell';
import { withHome } from './own-files.ts';

/** Shows nothing of a project. */
const quiet =
  /^(?:popd|echo|printf|true|false|:|test|\[|\[\[|set|shopt|export|unset|local|declare|typeset|alias|unalias|read|mapfile|sleep|wait|exit|return|date|pwd|clear|source|\.|seq|type|which|hash|whereis|umask|trap|shift|break|continue|Write-\w+|Get-Command)$/;

export function isQuiet([program = '', ...rest]: readonly string[]): boolean {
  return quiet.test(nameOf(program)) || (program === 'command' && /^-[vV]$/.test(rest[0] ?? ''));
}

/** They show files, or what they get. */
export const looks =
  /^(?:cat|bat|tac|less|more|head|tail|grep|egrep|fgrep|zgrep|rg|ag|diff|cmp|comm|paste|wc|sort|uniq|cut|tr|sed|g?awk|jq|yq|fold|fmt|column|nl|rev|tee|strings|xxd|hexdump|od|base64|zcat|gunzip|sqlite3|duckdb|ls|tree|find|fd|stat|du|file|Get-Content|gc|Get-ChildItem|(?:Select|Where|Sort|Measure|Group|ForEach)-(?:Object|String)|(?:Out|Format|Convert(?:To|From)?)-\w+)$/;
export const interpreters = /^(?:python[\d.]*|node|perl|ruby|php)$/;
export const copies = /^(?:cp|mv|ln|scp|rsync)$/;
/** Further programs that only show. */
export const lookers = /^(?:git|gh|jot|ps|env|printenv)$/;
/** Between the names in a program's text. */
export const inCode = /[\s'"`=,;()<>|@]+/;

/** The operands of a command that may be files. */
export function filesOf(name: string, words: readonly string[]): string[] {
  const pattern = /^(?:-e|-f|--regexp|--file)$/;
  const operands = words.slice(1).filter((word, at, all) => {
    return !/^-|^\d+$/.test(word) && !(hasPattern.test(name) && pattern.test(all[at - 1] ?? ''));
  });
  const named = words.flatMap((word) => /^--?[\w-]+=(.+)$/s.exec(word)?.[1] ?? []);
  const isPattern = hasPattern.test(name) && !words.some((word) => pattern.test(word));
  if (name === 'tr' || name === 'tee') return [];
  // `sqlite3 FILE SQL`
  if (name === 'sqlite3') return operands.slice(0, 1);
  if (name === 'duckdb')
    return operands.flatMap((word) => [word, ...word.split(inCode)]).filter((w) => w.includes('/'));
  return [...named, ...operands.slice(isPattern ? 1 : 0)];
}

const hasPattern = /^(?:[efz]?grep|rg|ag|sed|g?awk|jq|yq|Select-String)$/;

export function nameOf(program: string): string {
  return (program.split(/[/\\]/).at(-1) ?? '').replace(/\.(?:exe|cmd|bat|ps1)$/i, '');
}

/** The words without the programs that only start the next one. */
export function plainWords(words: readonly string[]): readonly string[] {
  // What runs elsewhere is not this memd.
  if (/^(?:docker|podman|nerdctl|kubectl|docker-compose|ssh)$/.test(words[0] ?? '')) return words;
  const rest = withoutLead(words);
  const [program = '', ...more] = rest;
  const name = nameOf(program);
  if (managers.test(name)) {
    const at = more.findIndex(
      (word, place) =>
        !/^-/.test(word) && !/^(?:-[Cw]|--(?:filter|dir|cwd|prefix|workspace))$/.test(more[place - 1] ?? ''),
    );
    const verb = more[at] ?? '';
    const next = /^(?:exec|x|dlx)$/.test(verb) ? at + 1 : name !== 'npm' && isOwnName(verb) ? at : -1;
    const line = next < 0 ? [] : more.slice(next);
    return line.length === 0 ? rest : plainWords(line.slice(line.findIndex((word) => !word.startsWith('-'))));
  }
  if (name === 'corepack' || name === 'watch')
    return plainWords(more.slice(more.findIndex((word) => !/^-|^[\d.]+$/.test(word))));
  if (name === 'node' || name === 'bun' || name === 'deno') {
    const at = more.findIndex((word) => !word.startsWith('-'));
    return /(?:^|[/\\])memd?\.c?js$/.test(more[at] ?? '') ? more.slice(at) : rest;
  }
  return rest;
}

const managers = /^(?:npm|pnpm|yarn|bun)$/;

/** `mem search`. An unknown command is of a project's own program of that name. */
export function isOwnProgram([program = '', ...rest]: readonly string[], cwd: string | null): boolean {
  if (!isOwnName(program) || isOfProject(program, cwd)) return false;
  const verbs = rest.filter((word) => !word.startsWith('-'));
  const at = /^memdaemon/.test(nameOf(program)) && isOwnName(verbs[0] ?? '') ? 1 : 0;
  return commands.has(verbs[at] ?? '');
}

function isOwnName(word: string): boolean {
  return (
    /^(?:memd?(?:\.c?js)?|memdaemon(?:@[\w.-]+)?)$/.test(nameOf(word)) ||
    /^\$\((?:which|command -v) memd?\)$/.test(word)
  );
}

/** A file of the project that has the name of ours. */
function isOfProject(program: string, cwd: string | null): boolean {
  if (!/[/\\]/.test(program) || /node_modules[/\\]|^\$\(/.test(program)) return false;
  if (!/^(?:[/~$\\]|[A-Za-z]:)/.test(program)) return true;
  if (/\.c?js$/.test(program) && !/[/\\]dist[/\\]memd?\.c?js$/.test(program)) return true;
  return cwd !== null && cwd !== '/' && `${path.resolve(withHome(program))}/`.startsWith(`${cwd}/`);
}

const shells = /^(?:ba|da|z|k|a|fi)?sh$/;

/** The script that a shell gets as an argument. */
export function scriptOf(words: readonly string[]): string | null {
  const name = nameOf(words[0] ?? '');
  if (name === 'eval' || name === 'iex') return words.slice(1).join(' ');
  const option = shells.test(name)
    ? /^-\w*c$/
    : /^(?:script|su|runuser)$/.test(name)
      ? /^-\w*c$|^--command$/
      : /^(?:pwsh|powershell)$/i.test(name)
        ? /^-c(?:ommand)?$/i
        : /^cmd$/i.test(name)
          ? /^\/\/?c$/i
          : null;
  const at = option === null ? -1 : words.findIndex((word) => option.test(word));
  if (at < 0) return null;
  return shells.test(name) ? (words[at + 1] ?? null) : words.slice(at + 1).join(' ');
}

/** A shell that reads its script. */
export function isBareShell([program = '', ...rest]: readonly string[]): boolean {
  return shells.test(nameOf(program)) && rest.every((word) => /^-/.test(word) && !/c$/.test(word));
}

/** The text of a here-document or here-string. */
export function documentOf(redirects: readonly Redirection[]): string | null {
  const [text] = redirects.flatMap((one) =>
    one.type === 'HereDoc' ? [one.body.text] : one.type === 'HereString' ? [one.target?.value ?? ''] : [],
  );
  return text ?? null;
}

/** Of `mem` and `memd`. */
export const ownCommands =
  'search why show recent timeline log resume handoff sessions pin unpin promote forget prune export import completion remember up init setup start stop restart info doctor logs monitor web backfill drain adopt workspaces sync focus install uninstall hook mcp scope';
const commands = new Set(ownCommands.split(' '));
