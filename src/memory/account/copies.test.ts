import { expect, it } from 'vitest';
import { accountOf } from '../../../test/support/account/account-of.ts';
import { Calls } from '../../../test/support/account/events.ts';

function files(calls: Calls): string[] {
  const text = JSON.stringify(calls.events).replaceAll('"/p/../', '"/');
  Object.assign(calls.events, JSON.parse(text));
  const { files: changed, filesCount } = accountOf(calls);
  expect(filesCount).toBe(changed.length);
  return changed.map(({ path, edits }) => `${path} ${edits}`);
}

const inBoth = (calls: Calls, tree: string): Calls =>
  calls
    .edit('wheel.ts', 'stop();', 'turn();')
    .edit(`${tree}wheel.ts`, 'stop();', 'run();')
    .edit(`${tree}axle.ts`, 'dry();', 'oil();');

it.each([
  ['git worktree add -q -b rye ../p-rye', ''],
  ['git worktree add /p-rye', ''],
  ['git worktree list', '/p      1f2e3d4 [main]\n/p-rye  1f2e3d4 [rye]'],
])('a file that is edited here and in a linked worktree is one: %s', (command, printed) => {
  const calls = new Calls().run(command, printed);
  expect(files(inBoth(calls, '../p-rye/'))).toEqual(['/p-rye/wheel.ts 2', '/p-rye/axle.ts 1']);
});

it('a file of a worktree that git names later is still found', () => {
  const calls = new Calls().edit('../p-rye/axle.ts', 'dry();', 'oil();').run('git worktree add /p-rye');
  calls.edit('../p-rye/axle.ts', 'oil();', 'grease();');
  expect(files(calls)).toEqual(['/p-rye/axle.ts 2']);
});

it('so is one in a worktree below the project', () => {
  const tree = '.worktrees/rye/';
  expect(files(inBoth(new Calls(), tree))).toEqual([`${tree}wheel.ts 2`, `${tree}axle.ts 1`]);
});

it.each(['cd /bakery && git worktree list', 'git -C /bakery worktree list'])(
  'files of the worktrees of another project are others: %s',
  (command) => {
    const calls = new Calls().run(command, '/bakery  1f2e3d4 [main]');
    expect(files(inBoth(calls, '../bakery/'))).toEqual([
      ...['wheel.ts 1', '/bakery/wheel.ts 1', '/bakery/axle.ts 1'],
    ]);
  },
);

it('a file stays in one worktree that is removed in another', () => {
  const moved = new Calls().run('git worktree add /p-rye').write('axle.ts', 'oil();');
  expect(files(moved.write('../p-rye/axle.ts', 'oil();').run('rm axle.ts'))).toEqual(['/p-rye/axle.ts 2']);
  expect(files(moved.run('rm /p-rye/axle.ts'))).toEqual([]);
  const below = new Calls().write('.worktrees/rye/axle.ts', 'oil();').write('axle.ts', 'oil();');
  expect(files(below.run('rm -rf .worktrees/rye'))).toEqual(['axle.ts 2']);
});

it('folders of sources in a folder `worktree` are no worktrees', () => {
  const calls = new Calls().edit('worktree/add/axle.ts', 'dry();', 'oil();');
  expect(files(calls.edit('worktree/list/axle.ts', 'dry();', 'oil();'))).toHaveLength(2);
});
