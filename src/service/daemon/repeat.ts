export interface Repeat {
  /** One more run, now or when the current run has ended. */
  readonly wake: () => void;
  /** Settles when no run is under way. */
  readonly stop: () => Promise<void>;
}

export interface RepeatOptions {
  readonly delayMs: number;
  readonly intervalMs: number;
  readonly run: () => Promise<void>;
  readonly failed: (error: unknown) => void;
}

/** Runs after `delayMs`, and again `intervalMs` after the end of each run, so that slow runs never pile up. */
export function repeat({ delayMs, intervalMs, run, failed }: RepeatOptions): Repeat {
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
    wake: () => {
      isWoken = true;
      if (running === null) plan(0);
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
