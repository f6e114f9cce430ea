const row = /^[ \t]*\|(.*)\|[ \t]*$/gm;
/** Below the head of a table, also where its lines are one already. */
const border = /\|(?:[ \t]*:?-{2,}:?[ \t]*\|)+/g;
const rule = /^[ \t]*[-*_=:|][-*_=:| \t]{2,}$/gm;
const lead = /^[ \t]*(?:#{1,6}|[-*+|]|```\w*)(?:[ \t]+|$)/gm;

/** Markdown without the marks of its lines and tables, where its lines become one. */
export function withoutLineMarks(text: string): string {
  const cells = (_: string, inner: string): string =>
    inner
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'))
      .filter((cell) => cell !== '')
      .join(' · ');
  return text.replace(border, '').replace(rule, '').replace(row, cells).replace(lead, '');
}
