/** How Claude Code begins what it keeps of a conversation that has become too long. */
const beginning =
  /^(?:The assistant said: )?[\s#*]*(?:(?:1\.)?[\s*]*Primary Request and Intent\b|This session is being continued from a previous conversation\b)/;

/** Whether a message, or the summary of one, retells the conversation up to a compaction: it answers no request. */
export function isCompaction(message: string): boolean {
  return beginning.test(message);
}
