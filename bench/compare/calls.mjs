// The work that both are given: tool calls as Claude Code's PostToolUse sends them, some with a made-up secret.

/** Made-up secrets in the published formats; none was ever valid. Joined here so that no scanner takes this file for a leak. */
export const secrets = [
  ['AKIA', 'QYLPMN5HXEXAMPL2'],
  ['ghp_', 'x7Yz9Kq2Lm4Np6Rs8Tu0Vw1Ab3Cd5Ef7Gh9I'],
  ['sk_live_', '4eC39HqLyjWDarjtT1zdp7dcQw3'],
  ['glpat-', 'zX8vB2nM5kL9qW3eR7tY'],
  ['npm_', 'kD93jfL20sPqRmX81vBnZtYw47HcGe56AuTo'],
  ['xoxb-', '293847561029-384756102938-aBcDeFgHiJkLmNoPqRsTuVwX'],
  ['postgres://app:', 'mN7-pQ2-rS9-tU4@db.internal:5432/shop'],
  ['SG.', 'ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf-09kqeF8tAmbihYzrnopKc-1s5cr'],
].map((parts) => parts.join(''));

/** The `at`-th call, some 2 KB; each eighth says a secret. */
export function payload(at, project, session = 'session-1') {
  const secret = at % 8 === 0 ? secrets[(at / 8) % secrets.length] : '';
  const lines = Array.from(
    { length: 30 },
    (_, line) => `step ${line}: checked part ${at * 31 + line} of the build`,
  );
  return JSON.stringify({
    session_id: session,
    transcript_path: `${project}/transcript.jsonl`,
    cwd: project,
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: `make part-${at}`, description: `Build part ${at}` },
    tool_response: {
      stdout: `${secret === '' ? '' : `TOKEN=${secret}\n`}${lines.join('\n')}`,
      stderr: '',
      interrupted: false,
    },
    tool_use_id: `toolu_compare_${at}`,
  });
}
