import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { cutText, objectAt, stringAt } from '#core/event';
import { Failure } from '#core/platform';
import { harmless } from '#core/text';
import type { DaemonLink } from './daemon-link.ts';
import { notice, recordText } from './record.ts';

/** A tool's result, as data and as lines. Every recorded text in it is harmless already. */
export interface ToolResult<O> {
  readonly structured: O;
  /** Each without line breaks. */
  readonly lines: readonly string[];
  /** The memories in it. */
  readonly ids: readonly number[];
  /** memd's own words, after the record. */
  readonly hint?: string;
}

interface ToolSpec<I extends v.ObjectSchema<v.ObjectEntries, undefined>, O extends v.ObjectEntries> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  /** It adds to the memory. */
  readonly isAdding?: boolean;
  readonly run: (
    args: v.InferOutput<I>,
    daemon: DaemonLink,
    caller: ReturnType<typeof callerOf>,
  ) => Promise<ToolResult<v.InferOutput<v.ObjectSchema<O, undefined>>>>;
}

/** Adds one tool to a server. */
export type AddTool = (server: McpServer, daemon: DaemonLink) => void;

/** Arguments are checked against `input`; the result has the form of `output`, and the notice. */
export function tool<I extends v.ObjectSchema<v.ObjectEntries, undefined>, O extends v.ObjectEntries>(
  spec: ToolSpec<I, O>,
): AddTool {
  const { name, title, description, run, isAdding = false } = spec;
  const known = Object.keys(spec.input.entries);
  // Clients add arguments of their own: one that is not known is named in the answer, not refused.
  const inputSchema = mcpSchema(v.looseObject(spec.input.entries, 'must be given'), asMeant);
  const outputSchema = mcpSchema(v.object({ notice: v.string(), ...spec.output }));
  // Starting the daemon changes nothing of the user's. The other hints say nothing of a tool that only reads.
  const annotations = {
    readOnlyHint: !isAdding,
    ...(isAdding && { destructiveHint: false }),
    openWorldHint: false,
  };
  return (server, daemon) => {
    server.registerTool(name, { title, description, inputSchema, outputSchema, annotations }, (args, from) =>
      answer(ignoredWords(name, Object.keys(args), known), async () => {
        const result = await run(v.parse(spec.input, args), daemon, callerOf(from, server));
        if (!isAdding) await daemon.gave(name, result.ids);
        return result;
      }),
    );
  };
}

/** Who calls, as it says itself: from revision 2026-07-28 with each request. Codex names its session too. */
function callerOf({ mcpReq: { envelope, _meta = {} } }: ServerContext, { server }: McpServer) {
  const info = objectAt({ ...envelope }, 'io.modelcontextprotocol/clientInfo') ?? {};
  const client = stringAt(info, 'name') ?? server.getClientVersion()?.name ?? '';
  return { client, session: typeof _meta.sessionId === 'string' ? _meta.sessionId : undefined };
}

/**
 * A schema for the protocol's library, without the name of its dialect: all its keywords mean the same in each, and validators of older
 * clients refuse a dialect that they do not know.
 */
export function mcpSchema<S extends v.GenericSchema>(schema: S, read = (value: unknown): unknown => value) {
  const { jsonSchema, validate, ...standard } = toStandardJsonSchema(schema)['~standard'];
  const withoutDialect = (make: typeof jsonSchema.input): typeof jsonSchema.input => {
    return (options) => {
      const { $schema: _dialect, ...rest } = make(options);
      return rest;
    };
  };
  return {
    '~standard': {
      ...standard,
      validate: (value: unknown) => validate(read(value)),
      jsonSchema: { input: withoutDialect(jsonSchema.input), output: withoutDialect(jsonSchema.output) },
    },
  };
}

/** Some assistants write `null` for what is not given, numbers as text, ids as they are printed, `#12`, and a text for a list of one. */
function asMeant(args: unknown): unknown {
  if (typeof args !== 'object' || args === null) return args;
  const number = (value: unknown): unknown =>
    typeof value === 'string' && /^#?\d{1,15}$/.test(value) ? Number(value.replace('#', '')) : value;
  return Object.fromEntries(
    Object.entries(args).flatMap(([name, value]) => {
      if (value === null) return [];
      // `kinds` is the daemon's own name for it.
      if (/^kinds?$/.test(name)) return [['kind', typeof value === 'string' ? value.split(/[\s,]+/) : value]];
      const listed = typeof value === 'string' && /^(?:ids|files)$/.test(name) ? [value] : value;
      if (!numbered.has(name)) return [[name, listed]];
      return [[name, Array.isArray(listed) ? listed.map(number) : number(listed)]];
    }),
  );
}

const numbered = new Set(['id', 'ids', 'k', 'more', 'window']);

/** What was given by a name that the tool does not have; empty if nothing. */
function ignoredWords(name: string, given: readonly string[], known: readonly string[]): string {
  const others = given.filter((one) => !known.includes(one)).map((one) => `"${harmless(cutText(one, 64))}"`);
  return others.length === 0
    ? ''
    : `Ignored: ${name} has no argument ${others.join(', ')}. It has ${known.join(', ')}.`;
}

async function answer(ignored: string, run: () => Promise<ToolResult<object>>): Promise<CallToolResult> {
  try {
    const { structured, lines, hint = '' } = await run();
    const words = [hint, ignored].filter(Boolean).join(' ');
    const text = lines.length > 0 ? recordText(lines, words) : words;
    // Some clients show their model the data alone.
    const said = [lines.length > 0 || hint === '' ? notice : hint, ignored].filter(Boolean).join(' ');
    return { content: [{ type: 'text', text }], structuredContent: { notice: said, ...structured } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { isError: true, content: [{ type: 'text', text: harmless(error.message) }] };
  }
}
