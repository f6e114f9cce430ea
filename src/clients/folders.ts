import fs from 'node:fs';
import path from 'node:path';
import { errorCode } from '../platform/index.ts';

/** Claude Code cuts a longer name to this many UTF-16 units and adds a hash. */
const nameUnitsMax = 200;

/**
 * The folder in which Claude Code keeps the transcripts of the project `root`: under `~/.claude/projects`,
 * the real path with every UTF-16 unit that is no ASCII letter or digit as `-` (CLIENTS.md, section 1).
 */
export function transcriptFolder(root: string, home: string): string {
  return path.join(projects(home), encoded(realOrSame(root)));
}

/**
 * All folders that may hold the project's transcripts: that one, and the one that spec 2.5's plain rule names
 * (only `/` as `-`), when it is another and exists.
 */
export function transcriptFolders(root: string, home: string): readonly string[] {
  const folder = transcriptFolder(root, home);
  const plain = path.join(projects(home), realOrSame(root).replaceAll('/', '-'));
  return plain !== folder && isFolder(plain) ? [folder, plain] : [folder];
}

/**
 * The transcripts below `folder`, sorted; none when there is no such folder. Links are not followed. A folder
 * that cannot be listed stands in the list itself, so that reading it names the failure.
 */
export function findTranscripts(folder: string): string[] {
  return below(folder).sort();
}

function below(folder: string): string[] {
  let entries: fs.Dirent[];
  try {
    entries = fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    return [folder];
  }
  return entries.flatMap((entry) => {
    const target = path.join(folder, entry.name);
    // `tool-results` holds long outputs that records point to, not records.
    if (entry.isDirectory()) return entry.name === 'tool-results' ? [] : below(target);
    return entry.isFile() && isTranscript(entry.name) ? [target] : [];
  });
}

function isTranscript(name: string): boolean {
  if (/\.meta\.json(\.gz)?$/.test(name) || name === 'sessions-index.json') return false;
  return /\.jsonl?(\.gz)?$/.test(name);
}

function projects(home: string): string {
  return path.join(home, '.claude', 'projects');
}

function encoded(real: string): string {
  const name = real.replace(/[^a-zA-Z0-9]/g, '-');
  if (name.length <= nameUnitsMax) return name;
  return `${name.slice(0, nameUnitsMax)}-${Math.abs(hash(real)).toString(36)}`;
}

/** The hash of Java's `String.hashCode`: 31 times the hash so far, plus the unit, in 32 bits. */
function hash(text: string): number {
  let value = 0;
  for (let at = 0; at < text.length; at += 1) value = (Math.imul(value, 31) + text.charCodeAt(at)) | 0;
  return value;
}

function isFolder(target: string): boolean {
  return fs.statSync(target, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function realOrSame(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    // A project that is gone still has its transcripts under its name.
    return path.resolve(folder);
  }
}
