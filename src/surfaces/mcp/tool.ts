import type { CallToolResult, McpServer } from '@modelcontextprotocol/server';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { Failure } from '../../core/platform/index.ts';
import type { DaemonLink } from './daemon-link.ts';
import { harmless, notice, recordText } from './record.ts';

/** What a tool has to tell: once for programs, once as lines for a reader. Every recorded text in it is harmless already. */
export interface Told<O> {
  readonly structured: O;
  /** Without line breaks; none when there is nothing to tell. */
  readonly lines: readonly string[];
  /** Our own words, after the record. */
  readonly hint?: string;
}

interface ToolSpec<I extends v.GenericSchema, O extends v.ObjectEntries> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly run: (
    args: v.InferOutput<I>,
    daemon: DaemonLink,
  ) => Promise<Told<v.InferOutput<v.ObjectSchema<O, undefined>>>>;
}

/** Adds one tool to a server. */
export type AddTool = (server: McpServer, daemon: DaemonLink) => void;

/** A tool by its schemas: arguments are checked against `input`; what it tells has the form `output`, and the notice. */
export function tool<I extends v.GenericSchema, O extends v.ObjectEntries>(spec: ToolSpec<I, O>): AddTool {
  const { name, title, description, run } = spec;
  const inputSchema = mcpSchema(spec.input);
  const outputSchema = mcpSchema(v.object({ notice: v.string(), ...spec.output }));
  // Starting the daemon, when asked to, changes nothing that is the user's.
  const annotations = {
    title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  };
  return (server, daemon) => {
    server.registerTool(name, { title, description, inputSchema, outputSchema, annotations }, (args) =>
      answer(() => run(args, daemon)),
    );
  };
}

/**
 * A schema as the protocol's library takes it. It does not name its dialect: all words in it mean the same in each, and validators of
 * older clients refuse a dialect that they do not know.
 */
function mcpSchema<S extends v.GenericSchema>(schema: S) {
  const { jsonSchema, ...standard } = toStandardJsonSchema(schema)['~standard'];
  const told = (make: typeof jsonSchema.input): typeof jsonSchema.input => {
    return (options) => {
      const { $schema: _dialect, ...rest } = make(options);
      return rest;
    };
  };
  return {
    '~standard': {
      ...standard,
      jsonSchema: { input: told(jsonSchema.input), output: told(jsonSchema.output) },
    },
  };
}

async function answer(run: () => Promise<Told<object>>): Promise<CallToolResult> {
  try {
    const { structured, lines, hint } = await run();
    const text = lines.length > 0 ? recordText(lines, hint) : (hint ?? '');
    return { content: [{ type: 'text', text }], structuredContent: { notice, ...structured } };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { isError: true, content: [{ type: 'text', text: harmless(error.message) }] };
  }
}
