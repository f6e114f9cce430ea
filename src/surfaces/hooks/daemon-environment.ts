/** The environment of a daemon, which outlives the session: without the client's own variables. */
export function daemonEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:ANTHROPIC_|CLAUDE_CODE_)/.test(name));
  return Object.fromEntries(kept);
}
