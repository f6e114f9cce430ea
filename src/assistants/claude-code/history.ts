import { isObject, type JsonObject, objectAt, own, stringAt } from '#core/event';
import { nowhere, type ReportedMessage, type TranscriptFormat, type TypedIn } from '../form/index.ts';

/**
 * Claude Code's `history.jsonl`: what the user typed, in all projects, kept when the transcripts are removed (from its files; versions before
 * 2.0 name no session: such prompts get one for each day).
 */
export const history: TranscriptFormat = {
  recognises: (record) => typeof record.display === 'string' && typeof record.project === 'string',
  open: () => ({ where: nowhere, read: (record, _, { typedIn }) => promptIn(record, typedIn) }),
};

function promptIn(record: JsonObject, typedIn: TypedIn): readonly ReportedMessage[] {
  const typed = stringAt(record, 'display') ?? '';
  const text = typed.startsWith('!') ? null : typedIn(withPasted(typed, record));
  const ms = own(record, 'timestamp');
  if (text === null || typeof ms !== 'number') return [];
  const day = new Date(ms).toISOString().slice(0, 10);
  const sessionId = stringAt(record, 'sessionId') ?? `claude-history-${day}`;
  const cwd = stringAt(record, 'project') ?? null;
  return [{ kind: 'message', role: 'user', text, sessionId, ts: ms, cwd, rescued: true }];
}

/** With long pastes in place of `[Pasted text #1 +12 lines]`. */
function withPasted(typed: string, record: JsonObject): string {
  const pasted = objectAt(record, 'pastedContents') ?? {};
  return typed.replace(/\[Pasted text #(\d+)[^\]\n]*\]/g, (mark, number: string) => {
    const paste = own(pasted, number);
    return (isObject(paste) ? stringAt(paste, 'content') : undefined) ?? mark;
  });
}
