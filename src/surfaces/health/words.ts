import fs from 'node:fs';
import path from 'node:path';
import { lstatIfThere } from '../../core/platform/index.ts';

// Of a list that can be long, so many are named.
const doctorNamesMax = 5;

/** An argument for a shell, as it can be pasted. */
export function quoted(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Bytes as a person says them. */
export function size(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'] as const;
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

/** The first few of a list, and how many more there are. */
export function some(names: readonly string[]): string {
  const shown = names.slice(0, doctorNamesMax).join(', ');
  const more = names.length - doctorNamesMax;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** The names in a folder, sorted; none in what is no folder, or a link to one. */
export function namesIn(folder: string): string[] {
  return lstatIfThere(folder)?.isDirectory() ? fs.readdirSync(folder).sort() : [];
}

/** Of the files that lie in a folder itself. */
export function bytesIn(folder: string): number {
  return namesIn(folder).reduce((sum, name) => sum + bytesOf(path.join(folder, name)), 0);
}

/** 0 for what is not there, or is no file. */
export function bytesOf(file: string): number {
  const stat = lstatIfThere(file);
  return stat?.isFile() ? stat.size : 0;
}
