/** Settles after `ms`, or when `stop` aborts, and removes its listener: some signals live for days. */
export function pause(ms: number, stop?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.max(0, ms));
    stop?.addEventListener('abort', done);
    if (stop?.aborted === true) done();
  });
}

/** Settles with `work`, or after `ms` without it. */
export async function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, patience]).finally(() => clearTimeout(timer));
}
