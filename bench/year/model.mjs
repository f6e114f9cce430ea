// The tests' model server, at one address, there or not: it summarises whatever is asked, and embeds nothing.
import { loadRooms } from '../rooms.mjs';

/** `folder` takes the bundle. */
export async function modelAt(folder) {
  const { closedPort, startModelServer } = await loadRooms(
    folder,
    "export { closedPort, startModelServer } from './test/model-server.ts';",
  );
  const port = await closedPort();
  let server = null;
  return {
    url: `http://127.0.0.1:${port}`,
    open: async () => {
      server ??= await startModelServer({ port, models: ['llama3.2:3b'] });
    },
    close: async () => {
      await server?.close();
      server = null;
    },
  };
}
