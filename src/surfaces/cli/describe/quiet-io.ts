import { helpColumns } from '../../../core/limits.ts';
import type { Io } from '../io.ts';

/** For commands that are described and never run. */
export const quietIo: Io = {
  env: {},
  cwd: '/',
  isTerminal: false,
  showsProgress: false,
  columns: helpColumns,
  out: () => {},
  note: () => {},
  progress: () => {},
  style: (_style, text) => text,
};
