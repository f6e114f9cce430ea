import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** A unified diff with three lines of context; null is a missing file. Empty without a difference. */
export function unifiedDiff(before: string | null, after: string | null, file: string): string {
  if (before === after) return '';
  const name = (text: string | null): string => (text === null ? '/dev/null' : file);
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  const diff = createTwoFilesPatch(name(before), name(after), before ?? '', after ?? '', '', '', options);
  return diff.slice(0, -1);
}
