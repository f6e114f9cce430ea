import { expect, test } from 'vitest';
import { repairOf } from './repair.ts';

test.each([
  ['hostedllm API error: 401', 'HOSTEDLLM_API_KEY'],
  ['hostedllm API error: 403 forbidden', 'HOSTEDLLM_API_KEY'],
  ['hostedllm API error: 429 slow down', 'are tried again'],
  ['fetch failed: connect ECONNREFUSED 127.0.0.1:11434', 'ollama serve'],
  ['fetch failed: timeout after 120000 ms', 'localllm.model'],
])('%s has a repair', (error, repair) => {
  expect(repairOf(error)).toContain(repair);
});

test.each([
  'ollama API error: 404 model "x" not found. Run `ollama pull x`.',
  'no drain backend available: start the local model runtime',
  'event ev_1: the model said hostedllm API error: 401',
  'hostedllm API error: 4011',
  '',
])('%j says it itself, or has none', (error) => {
  expect(repairOf(error)).toBeNull();
});
