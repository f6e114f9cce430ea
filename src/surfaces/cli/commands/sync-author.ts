import { jsonText } from '#core/event';
import { restoreFileDaysMax } from '#core/limits';
import type { Removed, Replica } from '#memory/replicate';
import { confirm } from '../confirm.ts';
import { ensureDaemon } from '../daemon-link.ts';
import { Misused, Unsuccessful } from '../program.ts';
import { plural, printable } from '../words.ts';
import { type SyncCall, takeStep } from './sync-call.ts';

type Stored = ReturnType<Replica['author']>;

/** `memd sync forget-author`: for what someone recorded who has left the team. */
export async function forgetAuthor(
  given: string,
  { workspace, config, options, io }: SyncCall,
): Promise<void> {
  const author = given.trim();
  if (author === '')
    throw new Misused('memd sync forget-author needs an author, as `mem search` shows it after "from"');
  const { authorOf } = await import('#service/sync');
  if (author === (await authorOf(workspace, config['sync.author'], io.env)))
    throw new Misused(`${author} is you: use \`mem forget ID\``);
  await ensureDaemon(workspace, io);
  if (options.undo) {
    await takeStep(workspace, { step: 'refuse', author, isRefused: false });
    const words = `What ${printable(author)} recorded is imported again by the next \`memd sync\`.`;
    return io.out(options.json ? jsonText({ ok: true, author }) : words);
  }
  const stored = (await takeStep(workspace, { step: 'author', author })) as unknown as Stored;
  for (const line of describe(author, stored)) io.note(`memd: ${line}`);
  const question = `Remove this, and import nothing more of ${printable(author)}? [y/N] `;
  if (!options.yes && !(await confirm(question))) throw new Unsuccessful();
  const reply = await takeStep(workspace, { step: 'refuse', author, isRefused: true });
  const { removed, restoreFiles } = reply as unknown as Removed;
  if (options.json) io.out(jsonText({ ok: true, author, removed, restoreFiles }, 2));
  else io.out(`Removed ${plural(removed, 'memory')} of ${printable(author)}.`);
  for (const file of restoreFiles)
    io.note(
      `memd: they are in ${file} for ${restoreFileDaysMax} days. \`mem import FILE\` brings them back; \`--undo\` takes them from the remote again.`,
    );
  if (config['sync.trust'].includes(author))
    io.note(`memd: sync.trust in ${workspace.config} still names ${printable(author)}: remove it there.`);
}

function describe(author: string, { calls, messages, digests, pins, isRefused, authors }: Stored): string[] {
  const parts = Object.entries({ call: calls, message: messages, digest: digests, pin: pins });
  const others = authors.filter((one) => one !== author).map(printable);
  return [
    `stored here of ${printable(author)}: ${parts.map(([noun, n]) => plural(n, noun)).join(', ')}`,
    ...(isRefused ? ['nothing of this author is imported already'] : []),
    ...(authors.includes(author) || isRefused
      ? []
      : [
          others.length > 0
            ? `the authors here are ${others.join(', ')}`
            : 'nobody else recorded anything here',
        ]),
  ];
}
