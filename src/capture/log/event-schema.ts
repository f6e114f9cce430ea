import * as v from 'valibot';
import { clientNames } from '#assistants/table';
import type { Json, ToolEvent } from '#core/event';

// Comes from `JSON.parse`: its values are valid.
const json = v.custom<Json>((value) => value !== undefined);

const event = v.object({
  id: v.string(),
  tool: v.string(),
  input: json,
  output: json,
  sessionId: v.string(),
  toolUseId: v.nullable(v.string()),
  ts: v.string(),
  client: v.picklist(clientNames),
  isError: v.boolean(),
  cwd: v.nullable(v.string()),
  message: v.exactOptional(
    v.object({
      role: v.picklist(['user', 'assistant']),
      turnId: v.nullable(v.string()),
      agentId: v.nullable(v.string()),
    }),
  ),
  parent: v.exactOptional(v.object({ session: v.string(), kind: v.picklist(['agent', 'fork']) })),
  unfinished: v.exactOptional(v.literal(true)),
  refused: v.exactOptional(v.literal(true)),
  rescued: v.exactOptional(v.literal(true)),
});

const record = v.object({ event });

/** The event in a parsed log record, or null when it has another shape. */
export function eventOfRecord(value: unknown): ToolEvent | null {
  const result = v.safeParse(record, value);
  return result.success ? result.output.event : null;
}
