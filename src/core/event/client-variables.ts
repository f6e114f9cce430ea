/** The environment variables for the folders of assistants' sessions. */
const clientVariables =
  'CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_CLI_HOME QWEN_HOME QWEN_RUNTIME_DIR COPILOT_HOME XDG_DATA_HOME OPENCODE_DB';

/** Those that are set. */
export function clientVariablesOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const pairs = clientVariables.split(' ').map((name) => [name, env[name] ?? ''] as const);
  return Object.fromEntries(pairs.filter(([, value]) => value !== ''));
}
