import { jsonText } from '#core/event';
import { type Explained, explain, findScopeContext, writeFirstScope } from '#guard/boundary';
import { workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, plainCommand, Unsuccessful } from '../program.ts';
import { printable } from '../words.ts';

export const scopeCommand: AddCommand = (program, io) => {
  const group = plainCommand(program, 'scope', 'limit where assistants may write (.memd/scope.json)', [
    'memd scope init',
    'memd scope check src/main.ts .env',
  ]);
  command(group, 'check', 'check whether paths may be written; exit 1 if one may not', [
    'memd scope check src/main.ts',
    'memd scope check --json .env ../elsewhere',
  ])
    .argument('<PATH...>', 'relative to the current folder, or absolute')
    .action((paths: string[], { json }: { json?: boolean }) => {
      const context = findScopeContext(io.env, io.cwd);
      const { file, scope } = context;
      const results = paths.map((path) => explain(path, io.cwd, context));
      const isAllowed = results.every((one) => one.isAllowed);
      if (json) {
        io.out(jsonText({ ok: isAllowed, file, scope, results }, 2));
      } else {
        for (const result of results) io.out(describe(result, io));
        if (scope.state === 'off')
          io.note(`memd: nothing is denied: ${file} is missing. Run \`memd scope init\`.`);
        if (scope.state === 'invalid') io.note(`memd: the boundary is NOT in force: ${file}: ${scope.error}`);
      }
      if (!isAllowed) throw new Unsuccessful();
    });
  command(group, 'init', 'write a first .memd/scope.json unless one exists', ['memd scope init']).action(
    ({ json }: { json?: boolean }) => {
      const written = writeFirstScope(workspaceOf(io).root);
      const { file, isWritten } = written;
      if (json) return io.out(jsonText({ ok: true, ...written }, 2));
      if (!isWritten) return io.out(`${file} exists and was not changed.`);
      io.out(`Wrote ${file}.`);
      io.out('It denies writes to common secret files. Add "allow" to limit writes to some folders.');
    },
  );
};

function describe({ path, real, isAllowed, by, rule }: Explained, io: Io): string {
  const verdict = isAllowed ? io.style('green', 'allowed') : io.style('red', 'denied ');
  const why = {
    none: 'no rule denies it',
    allow: rule === null ? 'no allow rule covers it' : `by allow "${rule}"`,
    deny: `by deny "${rule}"`,
    scope: 'the scope file is protected while it is in force',
    loop: 'its symbolic links form a loop',
    unread: 'a part of it cannot be read',
  }[by];
  const target = real === path ? '' : ` (${real})`;
  return `${verdict} ${printable(`${path}${target}: ${why}`)}`;
}
