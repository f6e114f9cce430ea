import type { Range, Scanner } from '#redact/form';
import { rewritten, type View } from './views.ts';

/** Finds no spans. Notes that a text holds signs which are not seen, or characters written as escapes. */
export const veiled: Scanner = {
  keywords: ['\u0000'].concat(
    '\\u00 \\x1b \\x2 \\x3 \\x5 \\033 \\e[ ^[[ \\_ \\- &# &quot; &nbsp; &amp; &lt; &lowbar; &shy;'.split(' '),
    '%2b %2d %2f %3a %3d %40 %5f :\\/\\/'.split(' '),
  ),
  begin: (text, _add, notes) => (start) => {
    notes.isVeiled ||= !isOfEmoji(text, start);
    return 0;
  },
};

/** A joiner or a selector behind a symbol, which is everyday. */
function isOfEmoji(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code === 0x200d || code >= 0xfe00) && text.charCodeAt(at - 1) > 0x2000;
}

const escapes = String.raw`(?:\x1b|\\{1,8}(?:u001b|x1b|0?33|e)|\^\[)`;
const veils = new RegExp(
  [
    // ECMA-48: CSI and OSC; overstrikes.
    String.raw`(?:${escapes}\[|\x9b)[0-?]{0,40}[ -/]{0,4}[@-~]`,
    String.raw`${escapes}\][^\x07\x1b\\\n]{0,400}(?:\x07|\x1b\\|\\{1,8}(?:u0007|x07|007|a)|${escapes}\\{1,8})?`,
    String.raw`[^\n]\x08`,
    String.raw`(?<space>[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]|&nbsp;)`,
    String.raw`[\u2028\u2029](?<line>)`,
    String.raw`&shy;|[\p{Cf}\p{DI}]|(?![\t\n\r])\p{Cc}`,
    String.raw`(?:\\{1,8}u00|\\{1,4}x|%)(?<hex>[2-7][0-9a-f])|&#(?:x0{0,4}(?<code>[2-7][0-9a-f])|0{0,4}(?<number>3[2-9]|[4-9]\d|1[01]\d|12[0-6]));`,
    String.raw`(?<=[a-z0-9:]|:\\{1,8}/)\\{1,8}(?<sign>[_./-])`,
    '&(?<name>quot|apos|amp|lt|gt|lowbar|hyphen|colon|equals|sol);',
  ].join('|'),
  'giu',
);
/** Each with its sign. */
const named = 'quot" apos\' amp& lt< gt> lowbar_ hyphen- colon: equals= sol/'.split(' ');

/** The text as a person sees it: without colours and invisible signs, with plain spaces, and with the characters that escapes stand for. */
export function unveiled(view: View): View {
  const cuts: Range[] = [];
  const characters: [number, string][] = [];
  for (const match of view.text.matchAll(veils)) {
    const last = match.index + match[0].length - 1;
    const character = characterOf(match.groups ?? {});
    if (character === undefined) cuts.push({ start: match.index, end: last + 1 });
    else {
      cuts.push({ start: match.index, end: last });
      characters.push([last, character]);
    }
  }
  return rewritten(view, cuts, characters);
}

function characterOf(found: Readonly<Record<string, string | undefined>>): string | undefined {
  if (found.space !== undefined) return ' ';
  if (found.line !== undefined) return '\n';
  const hex = found.hex ?? found.code;
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
  if (found.number !== undefined) return String.fromCharCode(Number(found.number));
  const name = found.name?.toLowerCase();
  return name === undefined ? found.sign : named.find((one) => one.slice(0, -1) === name)?.at(-1);
}
