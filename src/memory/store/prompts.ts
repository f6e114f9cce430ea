import type { Connection } from './connection.ts';
import { rowReader, text } from './row.ts';

/** What the user asked for, redacted and cut. */
export type Prompt = ReturnType<typeof readPrompt>;
const readPrompt = rowReader({
  /** `pr_` and 24 hex characters, a hash of session, time and text. */
  id: text,
  sessionId: text,
  ts: text,
  text,
});

/** The user's messages, from transcripts. */
export class PromptTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Stores new prompts and marks the digests of their sessions as stale. Returns how many were new. */
  insert(prompts: readonly Prompt[]): number {
    return this.#connection.transaction(() => prompts.filter((prompt) => this.insertOne(prompt)).length);
  }

  /** The same for one prompt, within the caller's transaction. Returns whether it was new. */
  insertOne({ id, sessionId, ts, text: words }: Prompt): boolean {
    const sql = 'INSERT OR IGNORE INTO prompts (id, session_id, ts, text) VALUES (?, ?, ?, ?)';
    if (this.#connection.run(sql, id, sessionId, ts, words) === 0) return false;
    this.#connection.run('UPDATE digests SET last_seq = 0 WHERE session_id = ?', sessionId);
    return true;
  }

  /** The session's prompts, oldest first. */
  of(sessionId: string, limit: number): Prompt[] {
    const sql = 'SELECT id, session_id, ts, text FROM prompts WHERE session_id = ? ORDER BY ts, id LIMIT ?';
    return this.#connection.all(sql, sessionId, limit).map(readPrompt);
  }
}
