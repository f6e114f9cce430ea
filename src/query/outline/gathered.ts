import { nothingAsked, type Standing, standingParts } from '#memory/account';
import type { Summary } from '#memory/store';
import type { OpenFiles, State } from '#query/state';
import type { Line, Section } from './line.ts';
import type { SessionView } from './project.ts';

export const openTitle = 'Open work:';
export const committedTitle = 'Committed:';

/** Work of which git is asked when it is shown. */
export interface OpenWork extends OpenFiles {
  readonly id: number | null;
  readonly ts: string;
}

/** What an outline says, before states, ages and room are known. Plain data. */
export interface Gathered {
  readonly focus: Section;
  readonly pinned: readonly Pick<Summary, 'id' | 'ts' | 'text' | 'author' | 'pinnedBy'>[];
  readonly sections: readonly Section[];
  readonly open: readonly OpenWork[];
  /** The sessions that `sections` were read from. */
  readonly sessions: readonly string[];
}

/** What is looked up when an outline is shown. */
export interface Given {
  readonly tokenBudget: number;
  readonly states: ReadonlyMap<number, State>;
  /** Of `open`, in its order. */
  readonly standings: readonly Standing[];
  /** Of the files that lines need, those that do not exist. */
  readonly missing: ReadonlySet<string>;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The sections with what is known only when they are shown: ages, what git has, which tests are gone. */
export function shown(
  sections: readonly Section[],
  open: readonly OpenWork[],
  { standings, missing, now }: Pick<Given, 'standings' | 'missing' | 'now'>,
): readonly Section[] {
  const asked = (of: (standing: Standing) => Standing): Line[] =>
    open.flatMap(({ id, ts }, at) =>
      standingParts(of(standings[at] ?? nothingAsked), 120).map((text) => ({ id, ts, text })),
    );
  const added: Readonly<Record<string, readonly Line[]>> = {
    [openTitle]: asked((standing) => ({ ...standing, committed: [] })),
    [committedTitle]: asked((standing) => ({ ...standing, uncommitted: [] })),
  };
  const areGone = (files: readonly string[]): boolean => files.every((file) => missing.has(file));
  return sections.map((section) => {
    const lines = section.lines
      .filter(({ needs = [], without = [] }) => (needs.length === 0 || !areGone(needs)) && areGone(without))
      .map((line) => (section.aged === true ? withAge(line, now) : line));
    return { ...section, lines: [...lines, ...(added[section.title] ?? [])] };
  });
}

export function openFiles({ id, ts, account: { root, files } }: SessionView): OpenWork {
  return { id, ts, root, files: files.filter(({ isOpen }) => isOpen) };
}

function withAge({ text, shorter, ...line }: Line, now: number): Line {
  const age = `(${ageOf(Date.parse(line.ts), now)}) `;
  return {
    ...line,
    text: age + text,
    ...(shorter !== undefined && { shorter: shorter.map((one) => age + one) }),
  };
}

function ageOf(then: number, now: number): string {
  const hours = Math.max(0, (now - then) / 3_600_000);
  if (Number.isNaN(hours)) return 'at an unknown time';
  if (hours < 1) return 'within the last hour';
  return hours < 48 ? `${Math.floor(hours)} h ago` : `${Math.floor(hours / 24)} days ago`;
}
