/**
 * Whether SQLite has said that the file is damaged: SQLITE_CORRUPT with its kin, or SQLITE_NOTADB. The driver gives
 * no result code for an error of a step, so its words decide (https://www.sqlite.org/rescode.html#corrupt).
 */
export function isCorruption(error: unknown): boolean {
  return (
    error instanceof Error &&
    /database disk image is malformed|file is not a database|malformed database schema|fts5: corrupt/.test(
      error.message,
    )
  );
}
