import fs from 'node:fs';
import path from 'node:path';
import { readIfThere } from '#core/platform';
import {
  type Environment,
  homeOf,
  layoutOf,
  namespaceOf,
  rootRecordIn,
  slugOf,
  type Workspace,
  workspacesFolder,
} from './paths.ts';
import { recordedPlace } from './places.ts';
import { workspaceRoot } from './root.ts';

/**
 * `findWorkspace` without a hash, whose loading costs a hook more than the rest: reads the roots that daemons recorded.
 * Null when this one is not recorded.
 */
export function findRecordedWorkspace(env: Environment, cwd: string): Workspace | null {
  const home = homeOf(env);
  const namespace = namespaceOf(env);
  const folder = workspacesFolder(home, namespace);
  const root = rootOf(env, cwd);
  if (!fs.existsSync(folder)) return null;
  const slug = slugOf(root);
  for (const key of fs.readdirSync(folder)) {
    // `app-1234...` is of the slug `app`; `app-web-1234...` is not.
    if (key.length !== slug.length + 13 || !key.startsWith(`${slug}-`)) continue;
    if (readIfThere(rootRecordIn(path.join(folder, key))) === root)
      return layoutOf(home, namespace, root, key);
  }
  return null;
}

/**
 * The root that a hook's folders belong to. A project folder that was removed meanwhile, as assistants remove worktrees, belongs where it
 * did before; else the hook's own folder counts.
 * @throws Failure `no_workspace`
 */
export function rootOf(env: Environment, cwd: string): string {
  const home = homeOf(env);
  const { CLAUDE_PROJECT_DIR: projectDir } = env;
  const wanted = projectDir || cwd;
  if (path.isAbsolute(wanted) && !fs.existsSync(wanted)) {
    const namespace = namespaceOf(env);
    const key = recordedPlace(home, namespace, wanted);
    const root =
      key === null ? null : readIfThere(rootRecordIn(path.join(workspacesFolder(home, namespace), key)));
    if (root !== null && fs.existsSync(root)) return root;
    if (fs.existsSync(cwd)) return workspaceRoot({ cwd, home });
  }
  return workspaceRoot({ cwd, home, projectDir });
}
