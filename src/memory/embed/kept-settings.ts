import * as v from 'valibot';
import { parseJson } from '#core/event';

/** Small values that the database keeps, by name. */
export interface KeptSettings {
  read(name: string): string | null;
  write(name: string, value: string): void;
}

/** A record in one setting, by embedder. A value of another shape, written by hand, counts as empty. */
export function keptRecord<T>(settings: KeptSettings, name: string, entry: v.GenericSchema<unknown, T>) {
  const schema = v.record(v.string(), entry);
  return {
    read: (): Readonly<Record<string, T>> => {
      const parsed = v.safeParse(schema, parseJson(settings.read(name) ?? '{}'));
      return parsed.success ? parsed.output : {};
    },
    write: (values: Readonly<Record<string, T>>) => settings.write(name, JSON.stringify(values)),
  };
}
