import type { Noise } from '../form/index.ts';

/** A prompt stands in an element that says the mode, or names a command. */
export const noise: Noise = {
  elements: 'hook_context mode_notice',
  parts: [/^\s*<user_(?:input|command)(?: [^<>\n]{0,200})?>|<\/user_(?:input|command)>\s*$/g],
};
