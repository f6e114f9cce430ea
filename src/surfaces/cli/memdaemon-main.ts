// Under the package's own name, as `npx memdaemon` runs it: without a command, it sets memd up.
if (process.argv.length === 2) process.argv.push('setup');
void import('./main.ts');
