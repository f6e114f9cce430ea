import { own } from '../../core/event/index.ts';
import { argument, type Call } from '../call/index.ts';

export function pathsOf(call: Call): readonly string[] {
  const path = argument(
    call,
    'file_path',
    'filePath',
    'path',
    'absolute_path',
    'notebook_path',
    'target_file',
    'file',
    'filename',
    'input',
  );
  if (path !== '') return [path.slice(0, 1_000)];
  for (const key of ['paths', 'file_paths', 'files', 'include']) {
    const list = own(call.input, key);
    if (Array.isArray(list)) return list.filter((item) => typeof item === 'string');
  }
  return [];
}
