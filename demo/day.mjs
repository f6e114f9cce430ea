// The sample day (`day.jsonl`): invented payloads of Claude Code's hooks, one per line, moved to today and to this run's
// folder.
import { readFileSync } from 'node:fs';

const recordedRoot = '/home/mira/harbour';
const secretPlaceholder = '{{made-up key}}';

/**
 * The payloads as JSON texts, each with the fields of a progress line. Claude Code sends no time; each payload here has
 * a `timestamp`, as other clients send it. The last call is moved to `endsMs` (milliseconds since 1970), the others
 * with it.
 */
export function readDay({ endsMs, root, secret }) {
  const recorded = readFileSync(new URL('day.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const lastMs = Date.parse(JSON.parse(recorded.at(-1)).timestamp);
  return recorded.map((line) => {
    const payload = JSON.parse(line.replaceAll(recordedRoot, root).replaceAll(secretPlaceholder, secret));
    const { tool_input: input = {}, tool_use_id: toolUseId, session_id: session } = payload;
    const said = payload.prompt ?? payload.last_assistant_message;
    payload.timestamp = new Date(Date.parse(payload.timestamp) - lastMs + endsMs).toISOString();
    return {
      json: JSON.stringify(payload),
      isMessage: said !== undefined,
      tool: payload.tool_name ?? (payload.prompt === undefined ? 'Reply' : 'Prompt'),
      about: String(
        said ?? input.description ?? input.file_path ?? input.pattern ?? input.query ?? '',
      ).replace(`${root}/`, ''),
      failed: payload.hook_event_name === 'PostToolUseFailure',
      holdsSecret: line.includes(secretPlaceholder),
      session,
      toolUseId,
      ts: payload.timestamp,
    };
  });
}

/** What the demonstration asks, how many hits it shows, and which line of the day answers (a test holds that). */
export function readQuestions() {
  return JSON.parse(readFileSync(new URL('questions.json', import.meta.url), 'utf8'));
}
