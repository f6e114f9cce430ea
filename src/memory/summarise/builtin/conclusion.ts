import { oneLine } from '#reading/text';

/** The conclusion of a longer text: the sentence under such a heading, else its beginning. */
export function conclusion(lines: readonly string[], max: number): string {
  const said = lines.filter((line) => /\p{L}{3}/u.test(line) && !/^agentId:|^<usage>|^```/.test(line));
  const at = said.findIndex((line) => heading.test(line));
  if (at >= 0) {
    const own = bare((said[at] ?? '').replace(heading, ''));
    const following = said.slice(at + 1, at + 4).map((line) => bare(line));
    const whole = own.length > 20 && !own.endsWith(':') ? own : [own, ...following].join(' ').trim();
    if (whole.length > 10) return oneLine(whole, max);
  }
  const start = said.findIndex((line) => !preamble.test(line) && bare(line).length > 20);
  const first = said.slice(Math.max(0, start), Math.max(0, start) + 3).map(bare);
  return oneLine(first.join(' '), max);
}

const heading =
  /^\s*(?:#{1,6}\s*|\*\*)?(?:\d+\.\s*)?(?:conclusion|summary|result|answer|recommendation|root cause|decision|verdict|tl;dr|key findings?)\b(?:\*\*)?:?(?:\*\*)?/i;
const preamble = /^(?:perfect|great|now i|let me|i have|i'll|excellent|good|okay|based on|here(?:'s| is)|#)/i;

function bare(line: string): string {
  return line.replace(/^[\s#>*\d.-]+/, '').replaceAll('**', '');
}
