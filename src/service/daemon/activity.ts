/** When the daemon last had something to do for a client. `onRequest` is called at each request. */
export function activityOf(onRequest: () => void) {
  let underWay = 0;
  let lastMs = performance.now();
  /** Counts a request at this moment. */
  const seen = (): void => {
    lastMs = performance.now();
    onRequest();
  };
  return {
    seen,
    /** Counts a request from its start to its end. */
    during: async <Reply>(answer: () => Promise<Reply>): Promise<Reply> => {
      seen();
      underWay += 1;
      try {
        return await answer();
      } finally {
        underWay -= 1;
        lastMs = performance.now();
      }
    },
    /** `performance.now()` of the last activity. */
    lastMs: () => (underWay > 0 ? performance.now() : lastMs),
  };
}
