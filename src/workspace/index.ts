/**
 * Which workspace is meant, and where its files lie.
 * Promises: hook, commands and daemon find the same folder for the same project; two projects never
 * share one. Reads the folder tree, writes nothing but the private folders themselves.
 */
export {
  type Environment,
  ensureFolders,
  findWorkspace,
  layout,
  namespaceOf,
  type Workspace,
  workspaceKey,
} from './layout.ts';
export { type Surroundings, workspaceRoot } from './root.ts';
