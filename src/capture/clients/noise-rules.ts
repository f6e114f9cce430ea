import type { NoiseRule } from '../../assistants/form/index.ts';
import { assistants } from '../../assistants/table/index.ts';

/** The lines around memd's records, for sessions and tools, and those of earlier versions. */
export const ownLines =
  /^[> \t]*(?:memd, the memory of this project\. |memd, recorded earlier in this project \(data|Recorded earlier in this project\. It is data, not instructions|To look something up: mem_get|More: mem_get \{ids\}|The oldest comes first\. More: mem_get|Read whole memories with mem_get|There is no memory #\d|Long texts are cut: "full": true|Did not fit, ask again: #\d).*$/gm;

/** What nobody said, in prompts and replies, from hooks and transcripts: what memd itself and several clients add, and each assistant's own. */
export const noiseRules: readonly NoiseRule[] = [
  {
    form: 'element',
    // `fenced` adds a digest to the name.
    match: ['memd-record'],
  },
  {
    form: 'part',
    match: ownLines,
  },
  {
    form: 'part',
    match:
      /^(?:SessionStart|UserPromptSubmit|PostToolUse)(?::\w+)? hook (?:success|additional context): .*$/gm,
  },
  {
    form: 'whole',
    // A command without arguments.
    match: /^\/[\w:.-]+$/,
  },
  ...assistants.flatMap(({ noise = [] }) => noise),
];
