export interface RepeatOptions {
  readonly delayMs: number;
  readonly intervalMs: number;
  readonly run: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Runs after `delayMs`, and again `intervalMs` after the end of each run, so that slow runs never pile up. */
export function repeat({ delayMs, intervalMs, run, failed }: RepeatOptions) {
  let isStopped = false;
  let isWoken = false;
  let timer: NodeJS.Timeout;
  let running: Promise<void> | null = null;
  const plan = (ms: number): void => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(start, ms);
  };
  const start = (): void => {
    isWoken = false;
    running = run()
      .catch((error: unknown) => {
        if (!isStopped) failed(error);
      })
      .then(() => {
        running = null;
        plan(isWoken ? 0 : intervalMs);
      });
  };
  plan(delayMs);
  return {
    /** One more run, now or when the current run has ended. */
    wake: () => {
      isWoken = true;
      if (running === null) plan(0);
    },
    /** Settles when no run is under way. */
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
