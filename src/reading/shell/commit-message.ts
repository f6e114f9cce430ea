import type { Command, SyntaxNode } from 'unbash';
import { firstSentence } from '#reading/text';

export interface CommitMessage {
  readonly subject: string;
  /** The text below the subject without trailers: mostly why. May be empty. */
  readonly body: string;
}

export interface StatedMessage {
  readonly message: CommitMessage;
  /** The options that state it, with their values. */
  readonly options: readonly SyntaxNode[];
}

/** The message that the options of a `git commit` state, or null. `documents`: here-documents up to this command. */
export function statedMessage(command: Command, documents: readonly string[]): StatedMessage | null {
  const nodes = [...(command.name === undefined ? [] : [command.name]), ...command.suffix];
  const valueAt = (at: number): string => {
    const node = nodes[at];
    return node?.type === 'Word' ? node.value : '';
  };
  const isCommit = (_: SyntaxNode, at: number): boolean => valueAt(at) === 'commit';
  const git = nodes.findIndex((_, at) => valueAt(at) === 'git');
  const start = nodes.findIndex(isCommit);
  if (git < 0 || start < git) return null;
  const options: SyntaxNode[] = [];
  const paragraphs: string[] = [];
  const document = documents.at(-1) ?? '';
  for (let at = start + 1; at < nodes.length; at += 1) {
    const option = nodes[at] as SyntaxNode;
    const value = valueAt(at);
    if (/^(?:-[a-z]*m|--message|-F|--file)$/.test(value)) {
      const next = nodes[at + 1];
      if (next === undefined) break;
      const stated = valueAt(at + 1);
      const isDocument = /^(?:-F|--file)$/.test(value) || stated.startsWith('$(');
      if (isDocument && document === '') continue;
      paragraphs.push(isDocument ? document : stated);
      options.push(option, next);
      at += 1;
    } else if (/^--message=/.test(value)) {
      paragraphs.push(value.slice('--message='.length));
      options.push(option);
    } else if (option.type === 'HereDoc') options.push(option);
  }
  const message = parted(paragraphs.join('\n\n'));
  return message === null ? null : { message, options };
}

/** The first sentence of why; empty when the message has no body. */
export function reasonIn(message: CommitMessage, max: number): string {
  // The body may be a list: its first item is enough.
  const [item = ''] = message.body.replace(/^\s*[-*•]\s+/, '').split(/\n\s*(?:[-*•]\s|\n)/);
  return firstSentence(item, max);
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
