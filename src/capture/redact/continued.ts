import type { Scanner } from './rule.ts';

/** Finds no spans. Notes names whose value may be on the next line, where a line prefix would hide it. */
export const continued: Scanner = {
  keywords: [
    ...['value:', 'value":', 'value\\":', 'default:', 'default":', 'default\\":'],
    ...['machine ', ' login', 'curl ', 'mysql', 'sshpass', 'password>', 'secret>', 'token>'],
  ],
  begin(text, _add, notes) {
    return (start, end) => {
      notes.isPrefixed ||= continuesBelow(text, start, end);
    };
  },
};

/** `name: DB_PASSWORD`. */
const secretName =
  /(?:name|key)\\{0,8}["']?[ \t]{0,8}[:=][^\n]{0,120}(?:pass|pwd|psk|secret|token|key|cred|auth|access|client|login)/i;

function continuesBelow(text: string, start: number, end: number): boolean {
  const sign = text[end - 1];
  if (sign === ':') {
    const lines = text.slice(Math.max(0, start - 240), start).split(/\n|\\{1,8}n|["'],/);
    return lines.slice(-4, -1).some((line) => secretName.test(line));
  }
  if (sign === ' ' && /machine $/i.test(text.slice(start, end))) return true;
  const rest = text.slice(end, end + 400);
  return sign === '>'
    ? /^[^\n<]{0,80}(?:\n|\\n)/.test(rest)
    : /^[^\n]*\\(?:[^\n]{0,60}\n|\\{0,8}n)/.test(rest);
}
