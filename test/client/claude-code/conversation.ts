import { isObject, type Json, type JsonObject, stringAt } from '#core/event';
import type { Asked } from './model.ts';

export interface ToolResult {
  readonly toolUseId: string;
  readonly text: string;
  readonly isError: boolean;
}

/** What a request gives the model about the tools that it has called, in order. */
export function toolResults(asked: Asked | undefined): ToolResult[] {
  return blocks(asked)
    .filter((block) => block.type === 'tool_result')
    .map((block) => ({
      toolUseId: stringAt(block, 'tool_use_id') ?? '',
      text: textOf(block.content),
      isError: block.is_error === true,
    }));
}

/** All that a request says in plain text, without tools. */
export function said(asked: Asked | undefined): string {
  return blocks(asked)
    .filter((block) => block.type === 'text')
    .map((block) => textOf([block]))
    .join('\n');
}

/** The tools whose schemas a request carries. */
export function toolNames(asked: Asked | undefined): string[] {
  return objects(asked?.body.tools).map((tool) => stringAt(tool, 'name') ?? '');
}

function blocks(asked: Asked | undefined): JsonObject[] {
  return objects(asked?.body.messages).flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : objects(content),
  );
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return objects(content)
    .map((part) => stringAt(part, 'text') ?? '')
    .join('');
}
