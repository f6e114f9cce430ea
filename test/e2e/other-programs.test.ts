import fs from 'node:fs';
import { afterAll, afterEach, expect, test } from 'vitest';
import { closeHomes, Home, leftBehind } from '../support/home.ts';
import { end } from '../support/processes.ts';

afterEach(closeHomes);
afterAll(() => expect(leftBehind()).toEqual([]));

/**
 * Whether the daemon has the lock by which another program (`sqlite3 db.sqlite`) knows that it is not the last one to use the database,
 * and leaves its log alone; proc_locks(5).
 */
function isSeenByOthers(home: Home): boolean {
  const { ino } = fs.statSync(home.workspace().database);
  const locks = fs.readFileSync('/proc/locks', 'utf8').split('\n');
  return locks.some((line) => line.includes(` READ ${home.pid()} `) && line.includes(`:${ino} `));
}

const capture = (home: Home) => home.capture({ tool: 'Read', input: {}, output: 'what is in it' });

// A process that opens and closes a file by itself loses all the locks that SQLite has on it there (fcntl(2)).
test.runIf(process.platform === 'linux').each([
  ['none', async () => {}],
  ['one that was stopped', async (home: Home) => void (await home.memd(['stop']))],
  ['one that was killed', async (home: Home) => end(home.pid(), 'SIGKILL')],
  [
    'one that left a damaged database',
    async (home: Home) => {
      await home.memd(['stop']);
      fs.writeFileSync(`${home.workspace().database}.damaged`, 'written by a test');
    },
  ],
])(
  'a daemon that follows on %s has its database locked against a last look by another program',
  async (_name, leave) => {
    const home = Home.open();
    await home.start();
    await capture(home);
    await leave(home);
    await home.start();
    expect(isSeenByOthers(home)).toBe(true);
    await capture(home);
    for (const args of [['drain', '--backend', 'builtin'], ['doctor']]) await home.memd(args);
    for (const args of [['search', 'what'], ['export'], ['forget', '1']]) await home.mem(args);
    expect(isSeenByOthers(home)).toBe(true);
  },
);
