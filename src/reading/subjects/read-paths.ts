import { own } from '#core/event';
import { argument, type Call, pathArguments } from '#reading/call';

export function pathsOf(call: Call): readonly string[] {
  const path = argument(call, ...pathArguments, 'input');
  if (path !== '') return [path.slice(0, 1_000)];
  for (const key of ['paths', 'file_paths', 'files', 'include']) {
    const list = own(call.input, key);
    if (Array.isArray(list)) return list.filter((item) => typeof item === 'string');
  }
  return [];
}
