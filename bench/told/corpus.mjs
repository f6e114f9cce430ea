// Made-up sessions that hold one moment of each rule and its counterexample.

const day = 86_400_000;
const start = Date.UTC(2026, 0, 5, 9);

/** Captures, oldest first. */
export function ownSessions() {
  const refused = "error: unrecognized subcommand 'grind-all'";
  const lint = 'src/mill.ts:4:2 error Unexpected console statement no-console';
  return [
    ...session('monday', 0, [
      prompt('Never change src/mill.ts by hand, it is generated. Keep `grindAll` in src/stone.ts.'),
      ran('mill grind-all ears', refused),
      ran('mill grind --all ears'),
      ran('npm run lint', lint),
      ran('npm run lint:fix'),
      ran('npm run lint'),
      edited('src/stone.ts'),
    ]),
    ...session('tuesday', 1, [
      prompt('Speed up src/stone.ts, and keep `grindAll` as it is'),
      ran('mill grind-all ears', refused),
      ran('mill grind --all ears'),
      edited('src/mill.ts'),
      ran('npm run lint', lint),
      ran('npm run lint:fix'),
      ran('npm run lint'),
    ]),
    ...session('wednesday', 2, [
      prompt(`Why do I see this?\n${refused}`),
      ran('npm run lint'),
      prompt("no, use the mill's own log instead of console"),
      edited('src/mill.ts'),
    ]),
  ];
}

const prompt = (text) => ({ kind: 'message', role: 'user', text, turnId: text.slice(0, 20) });
const ran = (command, error = '') => ({
  ...{ tool: 'Bash', input: { command }, isError: error !== '' },
  output: error === '' ? 'done' : `Exit code 1\n${error}`,
});
const edited = (file) => ({
  ...{ tool: 'Edit', input: { file_path: file, old_string: 'one', new_string: 'two' }, output: 'ok' },
});

function session(sessionId, after, steps) {
  return steps.map((step, at) => ({
    ...{ sessionId, client: 'claude-code', ts: new Date(start + after * day + at * 60_000).toISOString() },
    ...{ ...(step.kind === undefined && { toolUseId: `${sessionId}-${at}` }), ...step },
  }));
}
