import fc from 'fast-check';
import { expect, test } from 'vitest';
import { apiErrorWords, errorDetailCharsMax, withoutSecret } from './api-error.ts';
import { publicAddress } from './index.ts';
import { ollamaErrorWords, ollamaShapeWords } from './ollama.ts';

test.each([
  ['{"error":"out of memory"}', 'x API error: 500 out of memory'],
  ['{"type":"error","error":{"type":"t","message":"try\\n later"}}', 'x API error: 500 try later'],
  ['<html>secret page</html>', 'x API error: 500'],
  ['{"error":5}', 'x API error: 500'],
  ['', 'x API error: 500'],
])('%s', (body, words) => {
  expect(apiErrorWords('x', 500, body)).toBe(words);
});

test('words that are cut end in a whole character', () => {
  const message = `${'x'.repeat(errorDetailCharsMax - 1)}\u{1f600} and more`;
  expect(apiErrorWords('x', 400, JSON.stringify({ error: message }))).toMatch(/x\.\.\.$/);
});

test('a missing model names the command that brings it', () => {
  expect(ollamaErrorWords(404, '{"error":"model \'m:1b\' not found"}', 'm:1b')).toBe(
    'ollama API error: 404 model "m:1b" not found. Run `ollama pull m:1b`.',
  );
  expect(ollamaErrorWords(404, 'page not found', 'm:1b')).toBe('ollama API error: 404');
  expect(ollamaShapeWords('{"error":"runner died"}')).toBe('ollama API error: 200 runner died');
  expect(ollamaShapeWords('[]')).toBe("ollama API error: 200 with a reply that is not Ollama's");
});

test('one line, within bounds, without the key or anything like one, whatever the server says', () => {
  const key = 'sk-ant-api03-abcdefghijklmnop';
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.string({ maxLength: 20 }),
      (before, after) => {
        const body = JSON.stringify({ error: { message: `${before}${key}${after}` } });
        const words = apiErrorWords('hostedllm', 400, body, key);
        expect(words).not.toContain('abcdefghijklmnop');
        expect(words).not.toMatch(/[\n\r\u001b]/);
        expect(words.length).toBeLessThan(errorDetailCharsMax + 40);
      },
    ),
  );
  expect(withoutSecret('bad key sk-ant-ap...XYZ here', key)).toBe('bad key <redacted:api-key> here');
  expect(withoutSecret('key=opaque-1234', 'opaque-1234')).toBe('key=<redacted:api-key>');
});

test('an address is shown without its password', () => {
  expect(publicAddress('http://ada:secret@host:1/base/?token=x')).toBe('http://host:1/base');
  expect(publicAddress('ada:secret@host')).not.toContain('secret');
});
