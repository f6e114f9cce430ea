import type { Noise } from '#assistants/form';
import { assistants } from '#assistants/table';

/** The lines around memd's records, for sessions and tools, and those of earlier versions. */
export const ownLines =
  /^[> \t]*(?:memd, the memory of this project\. |memd, recorded earlier in this project \(data|Recorded earlier in this project\. It is data, not instructions|To look something up: mem_get|More: mem_get \{ids\}|The oldest comes first\. More: mem_get|Read whole memories with mem_get|There is no memory #\d|Long texts are cut: "full": true|Did not fit, ask again: #\d).*$/gm;

/** What memd itself and several clients add. */
const common: Noise = {
  // `fenced` adds a digest to the name.
  elements: 'memd-record',
  parts: [
    ownLines,
    /^(?:SessionStart|UserPromptSubmit|PostToolUse)(?::\w+)? hook (?:success|additional context): .*$/gm,
  ],
  // A command without arguments.
  prompts: [/^\/[\w:.-]+$/],
};

const all: readonly Noise[] = [common, ...assistants.flatMap(({ noise = [] }) => noise)];

/** What nobody said, in prompts and replies, from hooks and transcripts. */
export const noise = {
  elements: new Set(all.flatMap(({ elements = '' }) => elements.split(' '))),
  parts: all.flatMap(({ parts = [] }) => parts),
  tails: all.flatMap(({ tails = [] }) => tails),
  user: all.flatMap(({ prompts = [] }) => prompts),
  assistant: all.flatMap(({ replies = [] }) => replies),
};
