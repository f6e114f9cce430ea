import { assistants } from '#assistants/table';
import { adapt } from '#capture/clients';
import { type JsonObject, stringAt, type ToolEvent, toolFamily } from '#core/event';
import { prepare, storedId } from './prepare.ts';

/**
 * The failed command that a hook's payload reports, redacted and cut like a captured one, and how the hook answers. Null for calls that
 * succeeded, tools that run no command, and assistants whose hooks take no context.
 */
export function failedCommand(
  payload: JsonObject,
  client: string | undefined,
): { readonly call: ToolEvent; readonly agent: string; readonly form: 'nested' | 'flat' } | null {
  const receivedAt = new Date().toISOString();
  const adapted = adapt(payload, { client, receivedAt, cwd: null });
  if (adapted.kind !== 'observation' || payload.is_interrupt === true) return null;
  const { tool, isError, message, client: name } = adapted.observation;
  const form = assistants.find((one) => one.name === name)?.recall;
  if (form === undefined || !isError || message !== undefined || toolFamily(tool) !== 'command') return null;
  // The time in a payload may be any.
  const agent = storedId(stringAt(payload, 'agent_id') ?? '');
  return { call: prepare({ ...adapted.observation, ts: receivedAt }).event, agent, form };
}
