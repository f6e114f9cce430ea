/**
 * Schema 7: the account of a session as JSON, next to its digest and removed with it. Empty: the digest was forgotten. A session without
 * one, or with one of an older form, gets it in the background. It is derived, and therefore neither exported nor synchronised.
 */
export const schema7 = `
  CREATE TABLE accounts (
    session_id TEXT PRIMARY KEY REFERENCES digests (session_id) ON DELETE CASCADE,
    form INTEGER NOT NULL,
    account TEXT NOT NULL
  ) WITHOUT ROWID;
`;
