import fs from 'node:fs';
import { orElse } from '#core/platform';
import { type KeyName, keys } from './keys.ts';

export type CaptureSettings = Readonly<ReturnType<typeof captureSettings>>;

/** The settings that a hook needs, without checking all. For an unreadable file or a wrong value the default is used; the daemon reports it. */
export function captureSettings(file: string) {
  const given = parsed(file);
  const { captureObservationBudgetMs: budget, captureSpool: spool } = given;
  const messages = given['capture.messages'] ?? nested(given.capture).messages;
  return {
    budgetMs: Number(valid('captureObservationBudgetMs', budget)),
    spool: valid('captureSpool', spool) === true,
    /** Whether prompts and replies are kept. */
    messages: valid('capture.messages', messages) === true,
  };
}

function valid(name: KeyName, value: unknown): unknown {
  return keys[name].mustBe(value) === null ? value : keys[name].fallback;
}

function nested(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function parsed(file: string): Readonly<Record<string, unknown>> {
  if (!fs.existsSync(file)) return {};
  // The daemon reports it.
  return orElse(() => nested(JSON.parse(fs.readFileSync(file, 'utf8'))), {});
}
