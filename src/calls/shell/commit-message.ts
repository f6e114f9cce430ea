import { firstSentence } from '../text/index.ts';

export interface CommitMessage {
  readonly subject: string;
  /** What stands below the subject, without trailers: mostly why. May be empty. */
  readonly body: string;
}

/** A text that a here-document feeds to a command, with the line of the command that opens it. */
export interface HereDocument {
  readonly opener: string;
  readonly text: string;
}

/** The message that a `git commit` in `command` is given, by options or by a here-document; null when by neither. */
export function commitMessage(command: string, documents: readonly HereDocument[]): CommitMessage | null {
  const start = /\bgit\s[^;&|\n]{0,200}?\bcommit\b/.exec(command);
  if (start === null) return null;
  const given = messageOptions(command.slice(start.index + start[0].length));
  if (given !== '' && !/^\s*\$\(/.test(given)) return parted(given);
  const document = documents.find(({ opener }) =>
    /\bcommit\b|\s-(?:[a-z]*m|F)\b|--message|--file/.test(opener),
  );
  return document === undefined ? null : parted(document.text);
}

/** `script` without the messages of its commits: whoever knows the subject needs no more than `git commit`. */
export function withoutMessage(script: string): string {
  return script
    .replace(new RegExp(`(\\bcommit\\b[^;&|"']{0,200}?)(?:${option})+`, 'g'), '$1')
    .replace(
      /(\bcommit\b[^;&|"']{0,200}?)\s(?:-F|--file)[\s=]*-?\s*<<-?\s{0,4}(['"\\]?)[A-Za-z_]\w{0,40}\2/g,
      '$1',
    );
}

/** The first sentence of why; empty when the message has no body. */
export function reasonIn(message: CommitMessage, max: number): string {
  // Of a list its first item.
  const [item = ''] = message.body.replace(/^\s*[-*•]\s+/, '').split(/\n\s*(?:[-*•]\s|\n)/);
  return firstSentence(item, max);
}

const option = `\\s+(?:-[a-z]*m|--message)[\\s=]*(?:"(?:[^"\\\\]|\\\\.)*"|'[^']*')`;

/** The texts of the options that follow one another, each a paragraph, as git joins them. */
function messageOptions(rest: string): string {
  const run = new RegExp(`^[^;&|"'\\n]{0,200}?((?:${option})+)`).exec(rest)?.[1] ?? '';
  return [...run.matchAll(/(?:m|message)[\s=]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g)]
    .map(([, double, single]) => double?.replace(/\\(["$`\\])/g, '$1') ?? single ?? '')
    .join('\n\n');
}

function parted(message: string): CommitMessage | null {
  const lines = message.split('\n').map((line) => line.trimEnd());
  const at = lines.findIndex((line) => line.trim() !== '');
  if (at < 0) return null;
  const body = lines
    .slice(at + 1)
    .filter((line) => !trailer.test(line))
    .join('\n')
    .trim();
  return { subject: (lines[at] ?? '').trim(), body };
}

const trailer = /^\s*(?:[A-Z][\w-]*-(?:[Bb]y|[Ii]d|[Oo]n|[Tt]railer):\s|🤖)/u;
