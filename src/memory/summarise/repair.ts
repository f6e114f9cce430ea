/**
 * The repair for the error of an outage, or null. The error itself is fixed by the contract, so the repair is shown after it.
 */
export function repairOf(error: string): string | null {
  return repairs.find(([words]) => words.test(error))?.[1] ?? null;
}

const repairs: readonly (readonly [RegExp, string])[] = [
  [
    /^hostedllm API error: 40[13]\b/,
    'the key in HOSTEDLLM_API_KEY is invalid, expired or revoked: set a valid one where the daemon and memd drain are started, then run `memd restart`',
  ],
  [
    /^fetch failed: connect ECONNREFUSED /,
    'nobody listens there: start the model runtime (ollama serve), or set the right address (LOCALLLM_HOST, localllm.endpoint, hostedllm.endpoint)',
  ],
  [
    /^fetch failed: timeout after /,
    'the model did not answer in time: a smaller one is faster (localllm.model); the events wait and are tried again',
  ],
  [
    /^hostedllm API error: 429\b/,
    'the API takes no more for now: the events wait and are tried again; drain.batchSize and another plan change how soon',
  ],
];
