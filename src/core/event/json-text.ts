/**
 * JSON for a terminal: every control and format character (Unicode's Cf, such as those that turn the direction of text)
 * and line separator is escaped as `\uXXXX`. Parsed, it is the same value.
 */
export function jsonText(value: unknown, space?: number): string {
  return escapedJson(JSON.stringify(value, null, space));
}

/** The same for a text that is JSON already. */
export function escapedJson(json: string): string {
  // In JSON these characters occur only within strings.
  return json.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]|\p{Cf}/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
