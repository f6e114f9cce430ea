import fs from 'node:fs';
import path from 'node:path';
import { lstatIfThere } from '#core/platform';

const namesMax = 5;

/** An argument for a shell, ready to paste. */
export function quoted(text: string): string {
  return /^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** `512 B`, `3.4 KiB`, `120 MiB`. */
export function size(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'] as const;
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

/** The first few of a list, and how many more. */
export function some(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).join(', ');
  const more = names.length - namesMax;
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** The names in a folder, sorted; empty for a missing folder, a file or a link. */
export function namesIn(folder: string): string[] {
  return lstatIfThere(folder)?.isDirectory() ? fs.readdirSync(folder).sort() : [];
}

/** Their paths; of those that fit. */
export function filesIn(folder: string, fits: (name: string) => boolean = () => true): string[] {
  const names = namesIn(folder).filter(fits);
  return names.map((name) => path.join(folder, name));
}

/** 0 if it is missing or not a file. */
export function bytesOf(file: string): number {
  const stat = lstatIfThere(file);
  return stat?.isFile() ? stat.size : 0;
}
