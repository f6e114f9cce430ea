import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { judge } from '../../../src/guard/boundary/judge.ts';
import type { Denial } from '../../../src/guard/boundary/path-policy.ts';
import { findScopeContext, type ScopeContext, scopeFile } from '../../../src/guard/boundary/scope-context.ts';
import { type Effect, plain } from '../../../src/guard/boundary/target.ts';

/** A project with a scope file in a temporary folder. */
export class TestProject {
  readonly folder: string;
  readonly root: string;

  constructor(scope: object | string | null) {
    this.folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'memd-boundary-')));
    this.root = path.join(this.folder, 'project');
    fs.mkdirSync(path.join(this.root, '.git'), { recursive: true });
    if (scope !== null) {
      this.file('.memd/scope.json', typeof scope === 'string' ? scope : JSON.stringify(scope));
    }
  }

  /** Writes a file of the project (or next to it, by `../`) and returns its path. */
  file(name: string, text = ''): string {
    const file = path.join(this.root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  }

  link(name: string, to: string): void {
    const link = path.join(this.root, name);
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.symlinkSync(to, link);
  }

  get context(): ScopeContext {
    return findScopeContext({ HOME: this.folder }, this.root);
  }

  get scopeFile(): string {
    return scopeFile(this.root);
  }

  /** `allowed`, or by what it is denied. */
  verdict(
    text: string,
    { effect = 'write', cwd = this.root }: { effect?: Effect; cwd?: string } = {},
  ): string {
    return verdictOf(
      judge(
        [{ kind: 'path', effect, piece: plain(text), at: { from: [cwd], isDoubtful: false } }],
        this.context,
      ),
    );
  }

  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

export function verdictOf(denial: Denial | null): string {
  return denial === null ? 'allowed' : denial.by;
}
