import { captureSettings } from '../../core/config/index.ts';
import { writeWhole } from '../../core/platform/index.ts';
import { type Environment, ensureFolders, type Workspace } from '../../core/workspace/index.ts';
import { assistantState, findAssistant, installCommand, ownPrograms } from '../install/index.ts';

/**
 * Loaded at the first session of an assistant with this user. Returns one line if the assistant's settings are those of a memd that
 * captured no messages, else null. `marker` is written, so that it is checked once.
 */
export function messageHooksNotice(
  client: string,
  marker: string,
  { workspace, env }: { readonly workspace: Workspace; readonly env: Environment },
): string | null {
  const assistant = findAssistant(client);
  if (assistant === null || !captureSettings(workspace.config).messages) return null;
  const state = assistantState(assistant, env, ownPrograms(env));
  ensureFolders(workspace);
  writeWhole(marker, '');
  if (!state.lacksMessages) return null;
  return `prompts and replies are not captured: the settings of ${state.title} lack the hooks for them. Run \`${installCommand(state)}\`.`;
}
