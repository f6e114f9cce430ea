import fs from 'node:fs';
import { keys } from './keys.ts';

export interface CaptureSettings {
  readonly budgetMs: number;
  readonly spool: boolean;
  /** Whether prompts and replies are kept. */
  readonly messages: boolean;
}

/** The settings that a hook needs, without checking all. For an unreadable file or a wrong value the default is used; the daemon reports it. */
export function captureSettings(file: string): CaptureSettings {
  const given = parsed(file);
  const { captureObservationBudgetMs: budget, captureSpool: spool } = given;
  const messages = given['capture.messages'] ?? nested(given.capture).messages;
  return {
    budgetMs: isIn(keys.captureObservationBudgetMs, budget)
      ? Number(budget)
      : keys.captureObservationBudgetMs.fallback,
    spool: isIn(keys.captureSpool, spool) ? spool === true : keys.captureSpool.fallback,
    messages: isIn(keys['capture.messages'], messages)
      ? messages === true
      : keys['capture.messages'].fallback,
  };
}

function isIn(key: { readonly mustBe: (value: unknown) => string | null }, value: unknown): boolean {
  return key.mustBe(value) === null;
}

function nested(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function parsed(file: string): Readonly<Record<string, unknown>> {
  if (!fs.existsSync(file)) return {};
  try {
    return nested(JSON.parse(fs.readFileSync(file, 'utf8')));
  } catch {
    // The daemon reports it.
    return {};
  }
}
