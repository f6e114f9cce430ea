/** For a daemon, which outlives the session: what the client gave this hook to speak to the client itself is not handed on. */
export function daemonEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(?:ANTHROPIC_|CLAUDE_CODE_)/.test(name));
  return Object.fromEntries(kept);
}
