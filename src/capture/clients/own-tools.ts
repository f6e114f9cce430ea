/**
 * Whether a tool is the memory's own, under any client's way of naming an MCP tool: `mem_search`,
 * `mcp__memd__mem_search` (Claude Code, Codex, Qwen Code), `mcp_memd_mem_search` (Gemini CLI),
 * `memd-mem_search` (Copilot CLI), `memd_mem_search` (OpenCode). What the memory answered must not become
 * a memory. Behind a server's name only our own names count: others may have a `mem_usage`.
 */
export function isOwnTool(tool: string): boolean {
  return /^mem_|[-_.:/]mem_(?:search|why|get|timeline|handoff|remember)$/.test(tool);
}

/** The name of an own tool without that of its server. */
export function ownToolName(tool: string): string {
  return /mem_[a-z]{1,16}$/.exec(tool)?.[0] ?? '';
}
