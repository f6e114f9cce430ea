import { jsonText } from '../../../core/event/index.ts';
import {
  type Explained,
  explain,
  findScopeContext,
  type ScopeContext,
  writeFirstScope,
} from '../../../guard/boundary/index.ts';
import { workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Unsuccessful } from '../program.ts';
import { printable } from '../words.ts';

export const scopeCommand: AddCommand = (program, io) => {
  const scope = command(program, 'scope', 'where assistants may write: the rules in .memd/scope.json', [
    'memd scope init',
    'memd scope check src/main.ts .env',
  ]);
  command(scope, 'check', 'tell whether paths may be written, by which rule; exit 1 when one may not', [
    'memd scope check src/main.ts',
    'memd scope check --json .env ../elsewhere',
  ])
    .argument('<PATH...>', 'relative to the current folder, or absolute')
    .option('--json', 'as JSON, in a stable shape')
    .action((paths: string[], options: { json?: boolean }) => {
      const ground = findScopeContext(io.env, io.cwd);
      const results = paths.map((path) => explain(path, io.cwd, ground));
      const isAllowed = results.every((one) => one.isAllowed);
      if (options.json) {
        io.out(jsonText({ ok: isAllowed, file: ground.file, scope: ground.scope, results }, 2));
      } else {
        for (const result of results) io.out(describe(result, io));
        noteWhenNotInForce(ground, io);
      }
      if (!isAllowed) throw new Unsuccessful();
    });
  command(scope, 'init', 'write a first .memd/scope.json; one that is there is left as it is', [
    'memd scope init',
  ])
    .option('--json', 'as JSON, in a stable shape')
    .action((options: { json?: boolean }) => {
      const written = writeFirstScope(workspaceOf(io).root);
      if (options.json) return io.out(jsonText({ ok: true, ...written }, 2));
      const { file, isWritten } = written;
      io.out(isWritten ? `wrote ${file}` : `${file} is there already and was left as it is`);
      if (isWritten)
        io.out('It denies assistants the usual secrets; "allow" would keep them to some folders.');
    });
};

function describe({ path, real, isAllowed, by, rule }: Explained, io: Io): string {
  const verdict = isAllowed ? io.style('green', 'allowed') : io.style('red', 'denied ');
  const why = {
    none: 'no rule is against it',
    allow: rule === null ? 'no allow rule covers it' : `by allow "${rule}"`,
    deny: `by deny "${rule}"`,
    scope: 'the scope file is protected while it is in force',
    loop: 'its symbolic links lead in a circle',
    unread: 'a part of it cannot be read',
  }[by];
  const leads = real === path ? '' : ` (${real})`;
  return `${verdict} ${printable(`${path}${leads}: ${why}`)}`;
}

function noteWhenNotInForce({ scope, file }: ScopeContext, io: Io): void {
  if (scope.state === 'off')
    io.note(`memd: there is no ${file}: nothing is denied (write one: memd scope init)`);
  if (scope.state === 'invalid') io.note(`memd: the boundary is NOT in force: ${file}: ${scope.error}`);
}
