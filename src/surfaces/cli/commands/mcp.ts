import { loadMcpServer } from '../mcp-server.ts';
import { type AddCommand, command } from '../program.ts';

/** `memd mcp` with nothing behind it does not come here but for its help: see `main.ts`. */
export const mcpCommand: AddCommand = (program) => {
  command(program, 'mcp', 'serve the memory to an assistant as tools (MCP over stdin and stdout)', [
    'memd mcp',
    'claude mcp add memd -- memd mcp',
  ]).action(loadMcpServer);
};
