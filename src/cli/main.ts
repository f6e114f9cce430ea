import { loadMcpServer } from './mcp-server.ts';

// The script `memd`. An assistant starts `memd mcp` at each session: that does not wait until all other commands are loaded.
if (process.argv.length === 3 && process.argv[2] === 'mcp') loadMcpServer();
else void import('./memd.ts');
