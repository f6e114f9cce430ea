import { shellOwner } from '#assistants/table';
import { jsonText } from '#core/event';
import { Failure } from '#core/platform';
import { isCostly } from '#guard/boundary';
import { hijackIn } from '#reading/text';
import { redactText } from '#redact/engine';
import { askAwake, workspaceOf } from '../daemon-link.ts';
import type { Io } from '../io.ts';
import { type AddCommand, command, Misused, memoryId, plainCommand } from '../program.ts';
import { answer } from '../replies.ts';
import { inLine } from '../words.ts';
import { remember } from './remember.ts';

interface Matcher {
  readonly command?: string;
  readonly path?: string;
  readonly word?: string;
  readonly json?: boolean;
}

export const rulesCommand: AddCommand = (program, io) => {
  command(program, 'rules', 'list your rules, or what you said that may become one', [
    'mem rules',
    'mem rules --suggest',
  ])
    .option('--suggest', 'what you refused or corrected, the likeliest rules first')
    .action(async ({ suggest = false, json }: { suggest?: boolean; json?: boolean }) => {
      const { rules, suggestions } = await answer('rules', { suggest }, io);
      if (json) return io.out(jsonText({ ok: true, ...(suggest ? { suggestions } : { rules }) }, 2));
      const lines = suggest
        ? suggestions.map(
            ({ id, ts, text, sessions }) =>
              `#${id} · ${ts.slice(0, 10)} · ${sessions === 1 ? 'said once' : `said in ${sessions} sessions`}\n  ${inLine(text)}`,
          )
        : rules.map(
            ({ id, ts, on, form, text }) =>
              `#${id} · ${ts.slice(0, 10)} · ${on} ${inLine(form)}\n  ${inLine(text)}`,
          );
      for (const line of lines) io.out(line);
      if (suggest && lines.length > 0) io.note('None of these is a rule yet. To make one: `mem rule add`');
      if (lines.length === 0)
        io.note(
          suggest ? 'nothing that you said looks like a rule' : 'no rules yet. To make one: `mem rule add`',
        );
    });
};

export const ruleCommand: AddCommand = (program, io) => {
  const group = plainCommand(
    program,
    'rule',
    'make or remove a rule that is said to assistants at an action',
    ['mem rule add "use pnpm here" --command "npm install"'],
  );
  command(group, 'add', 'make a rule; assistants get it before the action, once per session', [
    'mem rule add "use pnpm here" --command "npm install"',
    'mem rule add "generated: change the template" --path "src/gen/**"',
    'mem rule add "no co-author lines" --word Co-Authored-By',
  ])
    .argument('<TEXT...>', 'what to say')
    .option('--command <FORM>', 'at a command with these words, such as "git push --force"')
    .option('--path <GLOB>', 'before a file is written whose path in the project matches')
    .option('--word <TEXT>', 'when this is written, in a file or a command')
    .action((words: readonly string[], matcher: Matcher) => add(words.join(' '), matcher, io));
  command(group, 'remove', 'remove a rule; its note stays', ['mem rule remove 12'])
    .argument('<ID>', 'id of the rule', memoryId)
    .action(async (id: number, { json }: { json?: boolean }) => {
      mustBePerson(io);
      const { rules } = await answer('rules', {}, io);
      if (!rules.some((rule) => rule.id === id))
        throw new Failure('no_rule', `#${id} is not a rule`, { repair: 'list them with `mem rules`' });
      await askAwake(workspaceOf(io), io, { op: 'unpin', id });
      io.out(
        json ? jsonText({ ok: true, id }) : `rule #${id} is removed; the note stays (\`mem forget ${id}\`)`,
      );
    });
};

async function add(text: string, { command: run, path: glob, word, json }: Matcher, io: Io): Promise<void> {
  mustBePerson(io);
  const given = Object.entries({ command: run, path: glob, word }).filter(([, form]) => form?.trim());
  const [on = '', form = ''] = given[0] ?? [];
  if (given.length !== 1) throw new Misused('a rule needs one of `--command`, `--path` and `--word`.');
  if (on === 'path' && isCostly(form)) throw new Misused('`--path`: at most three wildcards.');
  if (redactText(form).redactions > 0)
    throw new Misused('a secret is not kept, so a rule cannot be about one. Use other words.');
  if (text.trim() === '') throw new Misused('a rule needs words to say. Write them after `mem rule add`.');
  const hijack = hijackIn(text);
  if (hijack !== null)
    throw new Misused(
      `"${inLine(hijack)}" reads as an attack on assistants, so they would not get it. Use other words.`,
    );
  await remember(text, { pin: true, ...(json && { json }), rule: { on, form: form.trim() } }, io);
}

/** @throws Failure `not_a_person` in an assistant's shell */
export function mustBePerson({ env }: Io): void {
  const client = shellOwner(env);
  if (client !== null)
    throw new Failure('not_a_person', `rules are made and removed by a person, and ${client} runs this`, {
      repair: 'run it in your own terminal',
    });
}
