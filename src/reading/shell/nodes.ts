import type { Command, Statement, SyntaxNode, While } from 'unbash';

export function diverts(redirects: Command['redirects']): boolean {
  return redirects.some((one) => one.type === 'Redirect' && /^&?>[>|]?$/.test(one.operator));
}

/** The script of `bash -c SCRIPT`, `pwsh -Command SCRIPT` or `bash <<EOF`, also behind `timeout` or `docker exec`; null for another command. */
export function scriptIn({ name, suffix }: Command): string | null {
  const words = [name, ...suffix].map((node) => (node?.type === 'Word' ? node.value : ''));
  const shell = words.findIndex((word) =>
    /^(?:\S*\/)?(?:(?:ba|z|da|pw)?sh|powershell)(?:\.exe)?$/.test(word),
  );
  const options = words.slice(shell + 1);
  const at = options.findIndex((word) => /^-(?:[a-z]*c|Command)$/.test(word));
  const document = suffix.find((node) => node.type === 'HereDoc');
  const before = options.slice(0, at < 0 ? undefined : at).filter((word) => word !== '');
  if (shell < 0 || !before.every((word) => word.startsWith('-'))) return null;
  return (at < 0 ? document?.body.text : options[at + 1]) ?? null;
}

/** A word of the command, or an input of it. */
export function isWord(node: SyntaxNode): boolean {
  if (node.type === 'Redirect') return node.operator === '<' && node.target?.text !== '/dev/null';
  return node.type !== 'FileDescriptor';
}

/** The command that a loop tries until it passes: `until npm test`, `while ! npm test`. Null for another loop, and for one that may end before. */
export function awaitedBy({ kind, clause, body }: While, source: string): Statement['command'] | null {
  const [{ command, background } = { command: null }, ...others] = clause.commands;
  const isNegated = command?.type === 'Pipeline' && command.prefixes.some(({ type }) => type === 'Negation');
  if (command === null || background || others.length > 0 || isNegated !== (kind === 'while')) return null;
  const [tried, ...filters] = command.type === 'Pipeline' ? command.commands : [command];
  const plain = tried?.type === 'Redirected' ? tried.command : tried;
  if (plain?.type !== 'Command' || filters.length > 0 || scriptIn(plain) !== null) return null;
  return /\b(?:break|exit|return)\b/.test(source.slice(body.pos, body.end)) ? null : (tried ?? null);
}
