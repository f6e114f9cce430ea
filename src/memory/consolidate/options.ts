import type { Config } from '#core/config';
import type { Store } from '#memory/store';

export type Report = (message: string, fields: Readonly<Record<string, string | number>>) => void;

export interface ConsolidatorOptions {
  readonly store: Store;
  readonly config: Config;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: Report;
}
