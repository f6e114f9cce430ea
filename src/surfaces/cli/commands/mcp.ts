import { loadMcpServer } from '../mcp-server.ts';
import { type AddCommand, plainCommand } from '../program.ts';

/** For help only: `main.ts` runs `memd mcp` without this module. */
export const mcpCommand: AddCommand = (program) => {
  plainCommand(program, 'mcp', 'serve the memory to an assistant as tools (MCP over stdin and stdout)', [
    'memd mcp',
    'claude mcp add memd -- memd mcp',
  ]).action(loadMcpServer);
};
