/**
 * JSON for a terminal: `JSON.stringify`, with every character that a terminal obeys and nobody sees as `\uXXXX`. That is DEL and the C1 controls,
 * which JSON leaves as they are, line separators, and all format characters (Unicode's Cf): those that turn the direction of text among
 * them. Parsed, it is the same value.
 */
export function jsonText(value: unknown, space?: number): string {
  return escapedJson(JSON.stringify(value, null, space));
}

/** The same for a text that is JSON already, or should be. */
export function escapedJson(json: string): string {
  // Controls, line separators and format characters stand in no JSON but within its strings.
  return json.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
