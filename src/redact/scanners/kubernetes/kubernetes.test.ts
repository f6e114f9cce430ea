import { describe, expect, it } from 'vitest';
import { redact } from '#redact/engine';
import { fill } from '../../../../test/support/secrets.ts';

const x = fill('alnum', 24, 5);

/** Manifests that each hold `x` as a value, and `keep` where it must stay. */
const manifests: Readonly<Record<string, string>> = {
  plain: `apiVersion: v1\nkind: Secret\nmetadata:\n  name: keep\ndata:\n  config: ${x}\n`,
  'kind last': `data:\n  config: ${x}\nkind: Secret\nmetadata:\n  name: keep\n`,
  'quoted kind': `"kind": "Secret"\n"type": keep\n"data":\n  "config": "${x}"\n`,
  comments: `kind: Secret # keep\ndata: # values\n  # was: ${x}\n  config: ${x} # note\n`,
  braces: `kind: Secret\nmetadata: {name: keep}\ndata: {config: ${x}, other: "${x}"}\n`,
  'a list': `items:\n- data:\n    config: ${x}\n  kind: Secret\n- data:\n    a: keep\n  kind: ConfigMap\nkind: List\n`,
  'several documents': `kind: ConfigMap\ndata:\n  a: keep\n---\nkind: Secret\ndata:\n  config: ${x}\n`,
  'blocks of lines': `kind: Secret\nstringData:\n  a.yaml: |\n    # ${x}\n    pw: ${x}\n\n    more: ${x}\n  b: >-\n    ${x}\ntype: keep\n`,
  'tags and anchors': `kind: Secret\ndata:\n  a: !!binary |\n    ${x}\n  b: &c ${x}\ntype: keep\n`,
  'a template': `{{- if .Values.x }}\nkind: Secret\ndata:\n  a: {{ .Values.keep | b64enc }}\n  b: {{ "${x}" | b64enc }}\n  c: ${x}\n{{- end }}\n`,
  'several lines in quotes': `kind: Secret\nstringData:\n  a: "${x}\\n${x}"\n  b: 'it is ${x}'\ntype: keep\n`,
  'words as values': `kind: Secret\ndata:\n  a: my-example-${x}\ntype: keep\n`,
};
/** The same in JSON, which a prefix does not break into other columns. */
const objects: Readonly<Record<string, string>> = {
  compact: JSON.stringify({ kind: 'Secret', data: { config: x }, metadata: { name: 'keep' } }),
  pretty: JSON.stringify({ data: { 'config.yaml': x }, kind: 'Secret', metadata: { name: 'keep' } }, null, 4),
  'in a list': JSON.stringify({
    items: [
      { kind: 'ConfigMap', data: { a: 'keep' } },
      { kind: 'Secret', data: { a: x } },
    ],
  }),
  'a list of its kind': JSON.stringify({ kind: 'SecretList', items: [{ data: { a: x } }], note: 'keep' }),
  'in an annotation': JSON.stringify({
    note: 'keep',
    annotations: { last: `${JSON.stringify({ data: { config: x }, kind: 'Secret' })}\n` },
  }),
  'cut off': `{"kind":"Secret","type":"keep","data":{"config":"${x}`,
  'without its braces': `  "kind": "Secret",\n  "data": {\n    "config": "${x}"\n  },\n  "type": "keep"`,
  'a patch': `kubectl patch secret keep -p '{"data":{"config":"${x}"}}'`,
  'on a command line': `kubectl create secret generic keep --from-literal=config=${x} --from-literal other='${x}'`,
};
const layouts: Readonly<Record<string, (line: string, at: number) => string>> = {
  'as it is': (line) => line,
  removed: (line) => `-${line}`,
  added: (line) => `+${line}`,
  'in colours': (line) => `\u001b[31m-${line}\u001b[m`,
  numbered: (line, at) => `     ${at + 1}\t${line}`,
  'found by grep': (line, at) => `a/s.yaml:${at + 8}:${line}`,
  'around what grep found': (line, at) => `s.yaml-${at + 8}-${line}`,
  'in a log': (line) => `web-1  | ${line}`,
  'with times': (line) => `2026-11-22T10:00:00Z ${line}`,
  quoted: (line) => `> ${line}`,
  'of a pod': (line) => `[pod/web-7d9f/web] ${line}`,
  'of a logger': (line, at) => `2026-11-22 10:00:0${at % 9},123 - root - INFO - ${line}`,
  'in a box': (line) => `| ${line.padEnd(60)} |`,
  'added to both sides of a merge': (line) => `++${line}`,
  'in a diff with words': (line) => `{+${line}+}`,
};

describe('the values of a Kubernetes Secret', () => {
  const cases = [
    ...Object.entries(manifests).flatMap(([name, text]) =>
      Object.keys(layouts).map((layout) => ({ name, text, layout })),
    ),
    ...Object.entries(objects).map(([name, text]) => ({ name, text, layout: 'as it is' })),
  ];
  it.each(cases)('$name, $layout', ({ text, layout }) => {
    const lines = text.split('\n').map(layouts[layout] ?? ((line) => line));
    const joined = lines.join('\n');
    for (const value of [joined, { lines }, JSON.stringify({ text: joined }), JSON.stringify(lines)]) {
      const once = redact(value).value;
      expect(JSON.stringify(once)).not.toContain(x);
      expect(JSON.stringify(once)).toContain('keep');
      expect(redact(once)).toEqual({ value: once, redactions: 0, kinds: {} });
    }
  });

  it.each<[string, (line: string) => string]>([
    ['cat -A', (line) => `${line}$`],
    ['source code', (line) => `  ${JSON.stringify(`${line}\n`)} +`],
    ['a log of JSON', (line) => JSON.stringify({ log: `${line}\n`, stream: 'stdout' })],
    ['a shell', (line) => `echo '${line}' >> secret.yaml`],
  ])('are redacted between what a tool prints around each line: %s', (_, framed) => {
    const lines = ['apiVersion: v1', 'kind: Secret', 'data:', `  config: ${x}`, 'type: keep'].map(framed);
    const once = redact(lines.join('\n')).value;
    expect(once).not.toContain(x);
    expect(once).toContain('keep');
    expect(redact(once).redactions).toBe(0);
  });

  it('are redacted on both sides of a diff', () => {
    const text = ` kind: Secret\n data:\n-  config: ${x}1\n+  config: ${x}2\n type: keep`;
    expect(redact(text).value).toBe(text.replace(/config: \w+/g, 'config: <redacted:kubernetes-secret>'));
  });

  it.each<[unknown, unknown]>([
    [{ kind: 'ConfigMap', data: { config: x } }, undefined],
    [`kind: ConfigMap\ndata:\n  config: ${x}\n`, undefined],
    [`kind: SecretStore\ndata:\n  config: ${x}\n`, undefined],
    [{ kind: 'Secret', data: { a: '***', b: '{{ .Values.b }}', c: '' } }, undefined],
    [
      { kind: 'SecretList', items: [{ data: { a: x } }] },
      { kind: 'SecretList', items: [{ data: { a: '<redacted:kubernetes-secret>' } }] },
    ],
  ])('%j', (value, expected) => {
    expect(redact(value as never).value).toEqual(expected ?? value);
  });
});
