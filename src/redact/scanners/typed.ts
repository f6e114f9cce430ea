import type { JsonObject } from '#core/event';
import { matchAt, ranks, type Scanner } from '#redact/form';
import { nounAt } from './prose-nouns.ts';
import { judgeSaid, kindOfNoun, type SaidNoun } from './prose-value.ts';

const labelCharsMax = 160;
const lookedBackChars = 200;

/** Fields that say where a text goes, and fields that hold it. */
const places =
  /^(?:selectors?|elements?|label|name|field|locator|placeholder|target|uid|ref|query|xpath|css|id|aria[-_]?label|title|question|prompt|header|key|role|description|for|by|control|input_?name)$/i;
const contents =
  /^(?:text|value|content|answer|response|reply|keys|characters|chars|input|string|typed|data|val|submitted)$/i;

/** The noun of what a call types, if a field names it: `{"selector": "#password", "text": "x"}`; undefined for other objects. */
export function typedNoun(object: JsonObject): SaidNoun | undefined {
  const texts = Object.entries(object).flatMap(([key, item]) =>
    typeof item === 'string' ? [{ key, item }] : [],
  );
  if (!texts.some(({ key }) => contents.test(key))) return undefined;
  const labels = texts.filter(({ key, item }) => places.test(key) && item.length <= labelCharsMax);
  return labels.map(({ item }) => nounIn(item)).find((noun) => noun !== undefined);
}

/** Whether `key` holds what is typed, and `value` is a secret of that noun. */
export function isTyped(key: string, value: string, noun: SaidNoun): boolean {
  return contents.test(key) && isTypedSecret(value, noun);
}

function isTypedSecret(value: string, noun: SaidNoun): boolean {
  return !/\s/.test(value) && judgeSaid(value, noun, noun === 'password' ? 'loose' : 'direct', false);
}

/** `#user_password`, `input[type=password]`, `Enter your API key`, `apiKey`. */
function nounIn(label: string): SaidNoun | undefined {
  const words = label.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_#.[\]=>-]+/g, ' ');
  for (const { index } of words.matchAll(/(?<!\p{L})\p{L}{3}/gu)) {
    const noun = nounAt(words, index);
    if (noun !== undefined && noun.kind !== 'login' && noun.kind !== 'key') return noun.kind;
  }
  return undefined;
}

/**
 * What a script types into a field that a string before or after it names: `fill('#password', 'x')`,
 * `getByLabel('Password').fill('x')`, `{"text": "x", "selector": "#password"}`.
 */
export const typed: Scanner = {
  keywords:
    '.fill( .type( sendkeys( send_keys( .setvalue( fill_in fillfield( sequentially( "text "value "answer "content "keys \'text \'value'.split(
      ' ',
    ),
  begin: (text, add) => (start, end) => {
    const isCall = !/["']/.test(text.charAt(start));
    const [whole = '', label = '', quote = '', value] =
      matchAt(isCall ? lastArgument : field, text, end) ?? [];
    if (value === undefined || !/[\d!@#$%^&*+~]/.test(value)) return 0;
    const valueEnd = end + whole.length;
    const before = text.slice(Math.max(0, start - lookedBackChars), start);
    const after = text.slice(valueEnd + quote.length, valueEnd + quote.length + lookedBackChars);
    const statement = /[^;{}\n]*$/.exec(before)?.[0] ?? '';
    const object = /^[^{}\n]*/.exec(isCall ? '' : after)?.[0] ?? '';
    const names = `${statement} ${label} ${object}`.matchAll(/(["'`/])((?:(?!\1).){3,80})\1/g);
    const noun = [...names].map(([, , named = '']) => nounIn(named)).find((one) => one !== undefined);
    if (noun === undefined || !isTypedSecret(value, noun)) return 0;
    add({ start: valueEnd - value.length, end: valueEnd, kind: kindOfNoun(noun), rank: ranks.hint });
    return 0;
  },
};
const field = /\w{0,10}\\{0,7}["'][ \t]{0,4}:[ \t]{0,4}()(\\{0,7}["'`])((?:(?!\2)[^\n\s]){6,200}?)(?=\2)/y;
const lastArgument =
  /[ (]?((?:'[^'\n]{0,120}'|"[^"\n]{0,120}"|[\w.]{1,40}\([^()\n]{0,120}\)),[ \t]{0,4}(?:with: )?)?(["'`])((?:(?!\2)[^\n\s]){6,200}?)(?=\2)/y;
