import { InvalidArgumentError } from 'commander';
import { type MemoryKind, memoryKinds } from '../../core/event/index.ts';

/** Parses `--kind`, which may be repeated and may be a list. @throws InvalidArgumentError, which is exit 2 */
export function kindList(text: string, before: readonly MemoryKind[] = []): MemoryKind[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const isKnown = names.every((name) => memoryKinds.some((kind) => kind === name));
  if (!isKnown) throw new InvalidArgumentError(`It must be one or more of ${memoryKinds.join(', ')}.`);
  return memoryKinds.filter((kind) => before.includes(kind) || names.includes(kind));
}
