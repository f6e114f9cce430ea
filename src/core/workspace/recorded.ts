import fs from 'node:fs';
import path from 'node:path';
import { readIfThere } from '../platform/index.ts';
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
import { workspaceRoot } from './root.ts';

/**
 * `findWorkspace` without a hash, whose loading costs a hook more than the rest: reads the roots that daemons recorded.
 * Null when this one is not recorded.
 */
export function findRecordedWorkspace(env: Environment, cwd: string): Workspace | null {
  const home = homeOf(env);
  const namespace = namespaceOf(env);
  const root = workspaceRoot({ cwd, home, projectDir: env.CLAUDE_PROJECT_DIR });
  const folder = workspacesFolder(home, namespace);
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
