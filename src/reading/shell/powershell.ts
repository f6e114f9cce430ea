import { parse } from 'unbash';

/** A here-string of PowerShell (`@'`, lines, `'@`) as a quoted text of the shell. */
export function quotedTexts(command: string): string {
  return command.replace(
    /@(['"])\r?\n([\s\S]*?)\r?\n\1@/g,
    (_, _mark, text: string) => `'${text.replaceAll("'", "'\\''")}'`,
  );
}

/** A script as the shell reads it. Of one for PowerShell the statements that only that knows are left out, in the same places. */
export function parsed(source: string): ReturnType<typeof parse> {
  let text = source;
  for (let tries = 0; ; tries += 1) {
    const script = parse(text);
    const at = script.errors?.[0]?.pos;
    if (at === undefined || tries === triesMax || !cmdlet.test(source)) return script;
    const start = Math.max(text.lastIndexOf(';', at - 1), text.lastIndexOf('\n', at - 1)) + 1;
    const end = statementEnd(text, at);
    // `Set-Content -Path a -Value (...)` keeps what stands before its brackets; of no statement nothing is left.
    const isCompound = compound.test(text.slice(start, end));
    const [from, to] = isCompound || at >= end ? [start, end + 1] : [at, end];
    // What is missing at the end may have begun anywhere.
    const isUnended = !isCompound && at >= text.trimEnd().length;
    if (isUnended || text.slice(from, to).trim() === '') return script;
    text = text.slice(0, from) + ' '.repeat(Math.min(to, text.length) - from) + text.slice(to);
  }
}

const triesMax = 20;
const cmdlet = /\b(?:Get|Set|Select|Write|Invoke|Test|Remove|New|Out|ForEach|Where)-[A-Z]\w+/;
const compound = /^\s*(?:[$@[]|(?:if|for|foreach|while|do|switch|function|try|param)\b)/i;

/** Where the next `;` or line end outside brackets and quotation marks is. */
function statementEnd(text: string, from: number): number {
  let depth = 0;
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && (sign === ';' || sign === '\n')) return at;
  }
  return text.length;
}
