const testNameCharsMin = 4;

export interface NamedTest {
  readonly name: string;
  readonly passed: boolean;
}

/** The tests that a runner's lines name with how they ended; failures first, each once, a failure over a success. */
export function testsNamed(lines: readonly string[]): readonly NamedTest[] {
  const ended = new Map<string, boolean>();
  for (const line of lines) {
    const found = testIn(line.trim());
    if (found === null) continue;
    ended.set(found.name, found.passed && ended.get(found.name) !== false);
  }
  const tests = [...ended].map(([name, passed]) => ({ name, passed }));
  return [...tests.filter(({ passed }) => !passed), ...tests.filter(({ passed }) => passed)];
}

/** What a line says of a test, or null. */
export function testIn(line: string): NamedTest | null {
  if (line.length > 400) return null;
  for (const [pattern, passed] of forms) {
    const found = pattern.exec(line);
    if (found === null) continue;
    const name = withoutFigures(found[1] ?? '');
    return name.length >= testNameCharsMin && !remark.test(name) ? { name, passed } : null;
  }
  return null;
}

const file = String.raw`\S+\.(?:[cm]?[jt]sx?|py|rb|php|vue|svelte)`;

/** The first group is the name. Go, Rust, pytest, unittest, TAP, bun, .NET, then Vitest, Jest and node's `spec`. */
const forms: readonly (readonly [RegExp, boolean])[] = [
  [/^--- FAIL: (\S+)/, false],
  [/^--- PASS: (\S+)/, true],
  [/^test (\S+) \.\.\. FAILED/, false],
  [/^test (\S+) \.\.\. ok/, true],
  [/^FAILED (\S+::\S+)/, false],
  [/^(\S+::\S+) FAILED/, false],
  [/^(\S+::\S+) PASSED/, true],
  [/^(?:FAIL|ERROR): (\w+ \([\w.]+\))/, false],
  [/^not ok \d+ (?:- )?([^#]+)/, false],
  [/^ok \d+ (?:- )?([^#]+)/, true],
  [/^\(fail\) (.+)/, false],
  [/^\(pass\) (.+)/, true],
  [/^\[xUnit\.net [\d:.]+\]\s+([^\s(]+).* \[FAIL\]$/, false],
  [/^Failed (\w+(?:\.\w+)+).* \[/, false],
  [new RegExp(`^FAIL\\s+(?:\\|?[\\w-]+\\|?\\s+)?(${file}(?: > .+)?)`), false],
  [new RegExp(`^PASS\\s+(${file})`), true],
  [/^[✗✘✖×✕] (.+)/, false],
  [/^● (.+ › .+)/, false],
  [/^[✓✔√] (.+)/, true],
];

/** What linters and builders say behind the same marks: sentences and counts. */
const remark = /[.!:]$|^\d+ (?:problems?|errors?|warnings?|files?)\b|^[^\p{L}]*$/u;

/** How long it took and how many there were is another each time. */
function withoutFigures(name: string): string {
  return name.replace(/(?:\s+(?:\(\d[^()]*\)|\[[\d.]+\s?m?s\]|\d[\d.]*\s?m?s))+\s*$/, '').trim();
}
