/** What a pass of a check proves: the check itself, each check of a script, and all that a program can check. */
export function provenBy(name: string): readonly string[] {
  return partsOf(name).flatMap((part) => (isWhole(part) ? [part, allOf(part)] : [part]));
}

/** For each check of a script the names of which one pass proves it: itself, a larger run, or a run of all. */
export function coversOf(name: string): readonly (readonly string[])[] {
  return partsOf(name).map((part) => {
    const words = part.split(' ');
    return [...words.map((_, at) => words.slice(0, at + 1).join(' ')), allOf(part)];
  });
}

/** A check that also fixes what it finds is the same check. */
function partsOf(name: string): readonly string[] {
  return name.split(' && ').map((part) => part.replace(/[:-]fix\b/, ''));
}

function allOf(part: string): string {
  return `all of ${plainWords(part).slice(0, programWords(part)).join(' ')}`;
}

/** `go test ./...` and `npm test` check all, `go test ./mill` does not. */
function isWhole(part: string): boolean {
  return plainWords(part)
    .slice(programWords(part))
    .every((word) => word === './...' || word === '.');
}

function plainWords(part: string): readonly string[] {
  return part.split(' ').filter((word) => !word.startsWith('-'));
}

/** `bun run typecheck`, but `go test`. */
function programWords(part: string): number {
  return plainWords(part)[1] === 'run' ? 3 : 2;
}
