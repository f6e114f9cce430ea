import os from 'node:os';

/** Whether this process sees no network but the loopback: `npm run test:client` starts the tests so where the system allows it. */
export const isIsolated = Object.values(os.networkInterfaces())
  .flat()
  .every((one) => one?.internal === true);

/**
 * Variables for a program that must speak to nobody but a loopback stub. Without a network of its own it gets a proxy
 * where nobody listens.
 */
export function isolatedEnv(): Record<string, string> {
  if (isIsolated) return {};
  const nowhere = 'http://127.0.0.1:9';
  const local = '127.0.0.1,localhost,::1';
  return {
    ...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, http_proxy: nowhere, https_proxy: nowhere },
    ...{ NO_PROXY: local, no_proxy: local },
  };
}
