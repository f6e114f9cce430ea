import type { Connection } from './connection.ts';
import { text } from './row.ts';

/** What the user asked for, redacted and cut. */
export interface Prompt {
  /** `pr_` and 24 hex characters, from session, time and text: one told again is the same. */
  readonly id: string;
  readonly sessionId: string;
  readonly ts: string;
  readonly text: string;
}

/** The user's words, as far as transcripts told them. */
export class PromptTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Stores what is not there yet, and has the digests of their sessions made anew. Answers how many were new. */
  insert(prompts: readonly Prompt[]): number {
    return this.#connection.transaction(() =>
      prompts.reduce((count, prompt) => count + this.#insertOne(prompt), 0),
    );
  }

  /** The session's prompts, oldest first. */
  of(sessionId: string, limit: number): Prompt[] {
    const sql = 'SELECT id, session_id, ts, text FROM prompts WHERE session_id = ? ORDER BY ts, id LIMIT ?';
    return this.#connection.all(sql, sessionId, limit).map((row) => ({
      id: text(row, 'id'),
      sessionId: text(row, 'session_id'),
      ts: text(row, 'ts'),
      text: text(row, 'text'),
    }));
  }

  #insertOne({ id, sessionId, ts, text: words }: Prompt): number {
    const sql =
      'INSERT INTO prompts (id, session_id, ts, text) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING';
    const inserted = this.#connection.run(sql, id, sessionId, ts, words);
    if (inserted > 0) {
      this.#connection.run('UPDATE digests SET last_seq = 0 WHERE session_id = ?', sessionId);
    }
    return inserted;
  }
}
