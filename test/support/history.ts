import { Home } from './home.ts';

const day = 86_400_000;
/** An ISO time. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * day).toISOString();

/**
 * A home with memories 1 to 6 and no daemon: 1 is replaced by 2 since long, 3 by 4 since yesterday, 5 and 6 are one call
 * made twice.
 */
export async function withHistory(): Promise<Home> {
  const home = Home.open({ config: { 'drain.fallback': 'builtin', 'drain.tickMs': 600_000 } });
  await home.start();
  for (const at of [1, 2, 3, 4]) {
    await home.capture({
      tool: 'Read',
      input: { file_path: `src/part-${at}.ts` },
      output: `text ${at}`,
      toolUseId: `call-${at}`,
      sessionId: 's',
    });
  }
  for (const at of [5, 6]) {
    await home.capture({
      tool: 'Bash',
      input: { command: 'npm test' },
      output: 'all passed',
      toolUseId: `call-${at}`,
      sessionId: 's',
    });
  }
  await home.memd(['stop']);
  const { code, stderr } = await home.memd(['drain']);
  if (code !== 0) throw new Error(stderr);
  home.operate('DELETE FROM edges');
  const ages = [40, 30, 20, 1, 0.5, 0.25];
  for (const [at, age] of ages.entries()) {
    home.operate(`UPDATE summaries SET ts = '${daysAgo(age)}' WHERE id = ${at + 1}`);
  }
  for (const [from, to] of [
    [2, 1],
    [4, 3],
  ]) {
    home.operate(`INSERT INTO edges VALUES (${from}, ${to}, 'supersedes', 'read again', '${daysAgo(0)}')`);
  }
  return home;
}
