import { isObject, type Json, type JsonObject, stringAt } from '../../core/event/index.ts';

/**
 * What a person typed in a text that a client recorded as the user's, without the client's own blocks (reminders, the
 * editor's state, outputs of `!` commands). Null when nothing was typed: an interruption, a summary of an earlier
 * conversation, a bare `/command`. A command keeps its arguments.
 */
export function typed(text: string): string | null {
  const whole = text.trim();
  if (notTyped.test(whole)) return null;
  const command = commandLine(whole);
  if (command !== undefined) return command;
  const rest = withoutBlocks(whole)
    .replace(/^\[(?:Request interrupted by user[^\]\n]*|Image(?: #\d+|: source: [^\]\n]*))\]\s*/gm, '')
    .replace(forwardedPrompt, '')
    .trim();
  return rest === '' || /^\/[\w:.-]+$/.test(rest) ? null : rest;
}

/** `typed` over the texts of a message: a string, or blocks and parts of which those with a `text` count. */
export function typedIn(content: Json | undefined): string | null {
  const blocks = Array.isArray(content) ? content : [content ?? ''];
  const all = blocks.flatMap((block: Json) => {
    const text = isObject(block) ? said(block) : block;
    return typeof text === 'string' ? [text] : [];
  });
  // The files follow in their own parts.
  const end = all.findIndex((text) => text.trimStart().startsWith(fileParts));
  const texts = all.slice(0, end < 0 ? all.length : end).flatMap((text) => {
    const words = typed(text);
    return words === null ? [] : [words];
  });
  return texts.length === 0 ? null : texts.join('\n');
}

/** The text of a block that holds one (`text`, `input_text`, and parts without a type). */
function said(block: JsonObject): string | undefined {
  const type = stringAt(block, 'type') ?? 'text';
  return type === 'text' || type === 'input_text' ? stringAt(block, 'text') : undefined;
}

/** What a person typed as `/name arguments`; null without arguments, undefined when the text is not a command's record. */
function commandLine(text: string): string | null | undefined {
  if (!/^<command-(?:name|message)>/.test(text)) return undefined;
  const name = /<command-name>\s*([^<\s]{1,200})\s*<\/command-name>/.exec(text)?.[1] ?? '';
  const open = '<command-args>';
  const from = text.indexOf(open);
  const to = text.indexOf('</command-args>', from);
  const given = from < 0 || to < 0 ? '' : text.slice(from + open.length, to).trim();
  // A client's own command (`/model opus`) is recorded with its name first, a prompt with its message.
  const isOwn = text.startsWith('<command-name>') && given.split(/\s+/).length < ownWordsMin;
  return given === '' || isOwn ? null : `${name} ${given}`;
}

/** Fewer words are a setting. */
const ownWordsMin = 3;

/** Texts of the client. */
const notTyped =
  /^(?:Caveat: The messages below|This session is being continued from a previous conversation|Stop hook feedback:|Operation stopped by hook:|Base directory for this skill:|# AGENTS\.md instructions|This is the Gemini CLI\. We are setting up|\[SYSTEM[: ]|\{"task_id":)/;

/** What Claude Code appends to a plan for a new conversation. */
const forwardedPrompt = /\n+If you need specific details from before exiting plan mode[\s\S]*$/;

/** Precedes the files that a prompt to Gemini CLI names. */
const fileParts = '--- Content from referenced files ---';

/** Elements that clients put around what they add. */
const added = new Set(
  (
    'system-reminder ide_opened_file ide_selection ide_diagnostics local-command-caveat local-command-stdout ' +
    'local-command-stderr bash-input bash-stdout bash-stderr task-notification teammate-message ' +
    'user-prompt-submit-hook session-start-hook post-tool-use-hook environment_context user_instructions ' +
    'permissions_instructions session_context hook_context turn_aborted user_action user_shell_command skill ' +
    'skills_instructions subagent_notification current_datetime current_date reminder attached_files attachments'
  ).split(' '),
);

/** Without the added elements and their content. A person may have typed one that is never closed. */
function withoutBlocks(text: string): string {
  const unclosed = new Set<string>();
  const open = /<([a-z][\w-]{2,40})(?: [^<>\n]{0,400})?>/g;
  let kept = '';
  let from = 0;
  for (let found = open.exec(text); found !== null; found = open.exec(text)) {
    const [element, name = ''] = found;
    if (!added.has(name) || unclosed.has(name)) continue;
    const close = `</${name}>`;
    const end = text.indexOf(close, found.index + element.length);
    if (end < 0) {
      unclosed.add(name);
      continue;
    }
    kept += text.slice(from, found.index);
    from = end + close.length;
    open.lastIndex = from;
  }
  const rest = kept + text.slice(from);
  const at = rest.indexOf(`\n${fileParts}`);
  return at < 0 ? rest : rest.slice(0, at);
}
