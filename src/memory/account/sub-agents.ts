import { resolve } from 'node:path';
import { addStretch } from '#core/event';
import { coversAll, partsOf, seesChange } from '#reading/checks';
import { plainPath } from '#reading/text';
import type { ChangedFile, Check, SessionAccount } from './account.ts';
import { ByPath } from './by-path.ts';
import { checksMax } from './checks-of.ts';
import { isOpenCheck, openFirst } from './ended.ts';
import { isCode } from './worth.ts';

const namesMax = 12;

/** With the files that the sessions of its helpers changed, the checks that they ran and the time that they took, as if it had done that itself. */
export function withHelpers(account: SessionAccount, helpers: readonly SessionAccount[]): SessionAccount {
  if (helpers.length === 0) return account;
  const files = new ByPath(account.files.map((file) => [file.path, file]));
  for (const helper of helpers) {
    for (const file of helper.files) {
      const { root } = helper;
      const path = root === null ? file.path : plainPath(resolve(root, file.path), account.root);
      const before = files.get(path);
      const both = before === undefined ? file : together(before, file);
      if (both === null) files.delete(path);
      else files.set(path, { ...both, path });
    }
  }
  const worked: [number, number][] = [];
  const stretches = [account, ...helpers].flatMap((one) => one.worked.map((stretch) => ({ one, stretch })));
  stretches.sort(({ stretch: [first] }, { stretch: [other] }) => first - other);
  for (const [at, { one, stretch }] of stretches.entries())
    addStretch(worked, stretch, stretches[at - 1]?.one === one);
  const commits = [account, ...helpers].flatMap((one) => one.commits.map(({ ts }) => ts)).sort();
  const last = commits.at(-1) ?? '';
  const all = [...files.values()].sort((one, other) => other.edits - one.edits);
  return {
    ...{ ...account, worked, checks: checksOf([account, ...helpers], all) },
    files: all.map((file) => ({ ...file, isOpen: file.isOpen && file.ts > last })),
    // What a commit counted beyond its own may be theirs.
    filesCount: Math.max(account.filesCount, all.length),
  };
}

/** A check of one may prove what another one's did not, and its changes come after the others' checks. */
function checksOf(accounts: readonly SessionAccount[], files: readonly ChangedFile[]): Check[] {
  const checks = new Map<string, Check>();
  const root = accounts[0]?.root ?? null;
  for (const check of accounts.flatMap((one) => one.checks.map((own) => placed(own, one.root, root)))) {
    const key = `${check.place}\0${check.name}`;
    const before = checks.get(key);
    checks.set(key, before === undefined ? check : asOne(before, check));
  }
  const all = [...checks.values()].map((check) => ({ check, parts: partsOf(check.name, check.place) }));
  return all
    .map(({ check, parts }) => ({
      ...check,
      isFixed:
        check.isFixed ||
        (isOpenCheck(check) &&
          all.some(
            (one) => one.check.end === 'passed' && one.check.ts > check.ts && coversAll(one.parts, parts),
          )),
      isStale:
        check.isStale ||
        files.some(
          ({ path, ts }) => ts > check.ts && isCode(path) && parts.some((part) => seesChange(part, path)),
        ),
    }))
    .sort(openFirst)
    .slice(0, checksMax);
}

/** From the folder of the first: a pass in another copy of the project proves nothing of this one. */
function placed(check: Check, from: string | null, root: string | null): Check {
  if (from === null || from === root) return check;
  const place = plainPath(resolve(from, check.place), root);
  return { ...check, place: place === '.' ? '' : place };
}

function asOne(one: Check, other: Check): Check {
  const [first, last] = one.ts <= other.ts ? [one, other] : [other, one];
  return {
    ...last,
    runs: first.runs + last.runs,
    failures: first.failures + last.failures,
    unknown: first.unknown + last.unknown,
    failed: last.failed ?? first.failed,
    passed: last.passed ?? first.passed,
  };
}

/** One file that two sessions changed; null if it came and went. */
function together(one: ChangedFile, other: ChangedFile): ChangedFile | null {
  const [first, last] = one.ts <= other.ts ? [one, other] : [other, one];
  if (first.isNew && last.isGone) return null;
  return {
    ...last,
    isNew: first.isNew,
    edits: first.edits + last.edits,
    added: first.added + last.added,
    removed: first.removed + last.removed,
    symbols: [...new Set([...first.symbols, ...last.symbols])].slice(0, namesMax),
    lines: [...first.lines, ...last.lines].slice(-namesMax),
  };
}
