import type { Scanner } from '#redact/form';

/** Finds no spans. Notes names whose value may be on the next line, where a line prefix would hide it. */
export const continued: Scanner = {
  keywords: ['value:', 'value":', 'value\\":', 'default:', 'default":', 'default\\":'].concat([
    'machine ',
    ' login',
    'curl ',
    'mysql',
    'sshpass',
    'password>',
    'secret>',
    'token>',
  ]),
  begin: (text, _add, notes) => (start, end) => {
    const rest = text.slice(end, end + 400);
    const sign = text.charAt(end - 1);
    notes.isPrefixed ||=
      sign === ':'
        ? linesBefore(text, start).some((line) => secretName.test(line))
        : sign === '>'
          ? /^[^\n<]{0,80}(?:\n|\\n)/.test(rest)
          : /machine /i.test(text.slice(start, end)) || /^[^\n]*\\(?:[^\n]{0,60}\n|\\{0,8}n)/.test(rest);
    return 0;
  },
};

/** `name: DB_PASSWORD`. */
const secretName =
  /(?:name|key)\\{0,8}["']?[ \t]{0,8}[:=][^\n]{0,120}(?:pass|pwd|psk|secret|token|key|cred|auth|access|client|login)/i;

function linesBefore(text: string, at: number): string[] {
  return text
    .slice(Math.max(0, at - 240), at)
    .split(/\n|\\{1,8}n|["'],/)
    .slice(-4, -1);
}
