import { type ArchivePrompt, readPrompt } from '../reads/archive-rows.ts';
import { Table } from './table.ts';

/** What the user asked for, redacted and cut. Its id is `pr_` and 24 hex characters, a hash of session, time and text. */
export type Prompt = Omit<ArchivePrompt, 'type'>;

/** What users typed: their messages, and the prompts that versions before schema 5 kept. */
export class PromptTable extends Table {
  /** Stores an imported prompt and marks the digest of its session as stale. Returns whether it was new. */
  insertOne({ id, sessionId, ts, text: words }: Prompt): boolean {
    const sql = 'INSERT OR IGNORE INTO prompts (id, session_id, ts, text) VALUES (?, ?, ?, ?)';
    if (this.connection.run(sql, id, sessionId, ts, words) === 0) return false;
    this.connection.run('UPDATE digests SET last_seq = 0 WHERE session_id = ?', sessionId);
    return true;
  }

  /** The session's prompts, oldest first. */
  of(sessionId: string, limit: number): Prompt[] {
    const messages = `SELECT id, session_id, ts, json_extract(payload_json, '$.output') AS text FROM events
      WHERE session_id = ? AND kind = 'message' AND role = 'user' AND json_valid(payload_json) ORDER BY ts, seq LIMIT ?`;
    const found = this.connection.all(messages, sessionId, limit).map(readPrompt);
    if (found.length > 0) return found;
    const sql = 'SELECT id, session_id, ts, text FROM prompts WHERE session_id = ? ORDER BY ts, id LIMIT ?';
    return this.connection.all(sql, sessionId, limit).map(readPrompt);
  }
}
