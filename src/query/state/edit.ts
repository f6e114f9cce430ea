import type { Comparable, EditedFile } from '#reading/comparable';
import { counted } from '#reading/text';
import { type Place, placesOf } from './place.ts';
import { type Check, type State, type StateVerdict, shown, unknown } from './shapes.ts';
import type { Worktree } from './worktrees.ts';

/** How much of an edit of one file is in the workspace. */
interface Found {
  readonly worktree: Worktree;
  readonly name: string;
  readonly of: readonly number[];
  /** The lines of `of` that are there. */
  readonly held: ReadonlySet<number>;
  readonly where: string;
  readonly isThere: boolean;
}

/** Whether what an edit added is still in its files. Lines that moved to another file are not looked for. */
export function checkOfEdit({ cwd, failed, files }: Extract<Comparable, { kind: 'edit' }>): State | Check {
  if (failed) return unknown('the edit failed');
  if (files.length === 0) return unknown('no added line to recognise it by');
  return async (parts) => {
    const found: Found[] = [];
    let why = '';
    for (const file of files) {
      const places = await placesOf(file.path, cwd, parts);
      const one = typeof places === 'string' ? `${shown(file.path)}: ${places}` : await findIn(places, file);
      if (typeof one === 'string') why ||= one;
      else found.push(one);
    }
    return found.length === 0 ? unknown(why) : judged(found);
  };
}

/** The lines of an edit in the place that has the most of them; of equal ones the main working tree, else the first. */
async function findIn(places: readonly Place[], file: EditedFile): Promise<Found | string> {
  let best: Found | null = null;
  let why = '';
  for (const place of places) {
    const one = await findAt(place, file);
    if (typeof one === 'string') why ||= `${shown(place.name)}: ${one}`;
    else if (best === null || one.held.size > best.held.size) best = one;
    else if (one.held.size === best.held.size && one.isThere && one.worktree.name === '') best = one;
  }
  return best ?? why;
}

/** The same in one place, also under the file's new name; a text says why the lines are not known. */
async function findAt({ worktree, name }: Place, { lines }: EditedFile): Promise<Found | string> {
  const { tree, history } = worktree;
  const edit = { worktree, name, of: lines };
  const inFile = (there: ReadonlySet<number>, file: string): Found => {
    const where = `in ${file}${worktree.name === '' ? '' : `, in worktree ${shown(worktree.name)}`}`;
    return { ...edit, isThere: true, held: new Set(lines.filter((line) => there.has(line))), where };
  };
  const notThere = (where: string): Found => ({ ...edit, isThere: false, held: new Set(), where });
  if (/\.ipynb$/.test(name)) return 'a notebook is not compared line by line';
  const own = await tree.lines(name);
  if (own.kind === 'unread') return own.why;
  const found = own.kind === 'lines' ? inFile(own.lines, shown(name)) : null;
  if (found !== null && share([found]) >= currentShare) return found;
  const fate = await history.fateOf(name);
  if (fate === null) return found ?? notThere('is not there');
  if (fate.to === null) return found ?? notThere(`was removed in ${fate.commit}`);
  const renamed = await tree.lines(fate.to);
  if (renamed.kind === 'unread') return found ?? `renamed to ${shown(fate.to)}: ${renamed.why}`;
  if (renamed.kind === 'missing')
    return found ?? notThere(`was renamed to ${shown(fate.to)} in ${fate.commit}, which is not there`);
  const there = inFile(renamed.lines, `${shown(name)}, renamed to ${shown(fate.to)} in ${fate.commit}`);
  return found !== null && found.held.size >= there.held.size ? found : there;
}

const currentShare = 0.9;
const goneShare = 0.1;

function share(found: readonly Found[]): number {
  const [held, of] = sums(found);
  return held / of;
}

function sums(found: readonly Found[]): readonly [number, number] {
  return [
    found.reduce((sum, { held }) => sum + held.size, 0),
    found.reduce((sum, { of }) => sum + of.length, 0),
  ];
}

function judged(found: readonly Found[]): State {
  const part = share(found);
  const verdict: StateVerdict = part >= currentShare ? 'current' : part <= goneShare ? 'gone' : 'changed';
  return { verdict, detail: inWords(found) };
}

/** "5 of 10 added lines are still in src/a.ts". */
function inWords(found: readonly Found[]): string {
  const [held, of] = sums(found);
  const lines = `${held} of ${counted(of, 'added line')} ${held === 1 ? 'is' : 'are'} still`;
  const [first, ...others] = found;
  if (first === undefined) return lines;
  if (others.length > 0) {
    const names = found.map(({ name, where, isThere }) =>
      isThere ? where.slice(3) : `${shown(name)} (${where})`,
    );
    return `${lines} in ${names.slice(0, namesMax).join(', ')}${names.length > namesMax ? ', ...' : ''}`;
  }
  return first.isThere ? `${lines} ${first.where}` : `${shown(first.name)} ${first.where}`;
}

const namesMax = 3;
