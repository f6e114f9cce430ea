import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { toJsonSchema } from '@valibot/to-json-schema';
import { describe, expect, test } from 'vitest';
import { isObject, type Json } from '#core/event';
import { header, rowSchema } from './line.ts';

const docs = (name: string): string => fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url));

/** What the reader takes, as a JSON Schema: what it checks beyond that (a time that is one) is said in words. */
function schemaOf(): Json {
  const [head, rows] = [header, rowSchema].map((schema) => {
    const { $schema: _, ...rest } = toJsonSchema(schema, {
      typeMode: 'input',
      errorMode: 'ignore',
      // A safe integer is one without a fraction.
      overrideAction: ({ valibotAction: { type }, jsonSchema }) =>
        type === 'safe_integer' ? { ...jsonSchema, type: 'integer' } : undefined,
    });
    return rest;
  });
  const title = 'One line of an export of memd';
  const dialect = 'https://json-schema.org/draft/2020-12/schema';
  return JSON.parse(JSON.stringify({ $schema: dialect, title, anyOf: [head, rows] }));
}

/** The rows of the tables in a page, by the heading above: the name in their first column. */
function tablesIn(page: string): Record<string, string[]> {
  const chapters = page.split(/^## /m).slice(1);
  return Object.fromEntries(
    chapters.map((chapter) => [
      /^`(\w+)`/.exec(chapter)?.[1] ?? '',
      [...chapter.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name),
    ]),
  );
}

describe('the published format', () => {
  test('the schema in docs is that of the reader (MEMD_WRITE_DOCS=1 writes it again)', () => {
    const file = docs('export-format.schema.json');
    const text = `${JSON.stringify(schemaOf(), null, 2)}\n`;
    if (process.env.MEMD_WRITE_DOCS !== undefined) fs.writeFileSync(file, text);
    expect(JSON.parse(fs.readFileSync(file, 'utf8'))).toEqual(JSON.parse(text));
  });

  test('the page names every field of every line, and no other', () => {
    const schemas = [header, ...rowSchema.options];
    const fields = Object.fromEntries(
      schemas.map(({ entries }) => [
        'type' in entries ? entries.type.literal : 'header',
        Object.keys(entries),
      ]),
    );
    const { '': _, ...documented } = tablesIn(fs.readFileSync(docs('export-format.md'), 'utf8'));
    expect(documented).toEqual(fields);
  });

  test('a schema says of each field what it is', () => {
    const bare: string[] = [];
    const visit = (value: Json, trail: string): void => {
      if (!isObject(value)) return;
      const { properties = {} } = value;
      for (const [name, field] of Object.entries(isObject(properties) ? properties : {}))
        if (isObject(field) && Object.keys(field).length === 0) bare.push(`${trail}${name}`);
      for (const key of ['anyOf', 'oneOf'] as const) {
        const list: Json = value[key] ?? [];
        if (Array.isArray(list)) for (const one of list) visit(one, trail);
      }
    };
    visit(schemaOf(), '');
    // Any JSON at all.
    expect(bare).toEqual(['payload']);
  });
});
