export interface Entry {
  readonly name: string;
  /** One sentence without its full stop. */
  readonly text: string;
}

export const environment: readonly Entry[] = [
  { name: 'MEMD_NS', text: 'namespace; each has its own memories (default: default)' },
  {
    name: 'CLAUDE_PROJECT_DIR',
    text: 'project folder (default: the current folder); assistants set it for hooks',
  },
  { name: 'MEMD_DRAIN_BACKEND', text: 'summariser: auto, local, hosted or builtin (drain.backend)' },
  { name: 'MEMD_CURATE_MODEL', text: 'model for related memories: off, local or any (curate.model)' },
  { name: 'LOCALLLM_HOST', text: 'address of the local model runtime (localllm.endpoint)' },
  {
    name: 'HOSTEDLLM_API_KEY',
    text: 'key of the hosted model; no file may hold it. Without it, memd sends nothing to a hosted model',
  },
  { name: 'MEMD_NO_HTTP', text: '1: the daemon serves no page' },
  { name: 'MEMD_HTTP_PORT', text: 'port of the page (http.port; default: a free port)' },
  { name: 'BROWSER', text: 'command with which `memd web` opens the page; %s is the address' },
  {
    name: 'PAGER',
    text: 'pager of `mem show` and `mem log` on a terminal (default: less -FRX); empty or cat: none',
  },
  { name: 'LESS', text: 'options of less as that pager (default: FRX)' },
  { name: 'NO_COLOR', text: 'any value: no colour. TERM=dumb has the same effect' },
  { name: 'MEMD_DEBUG', text: 'any value: print the stack of an unexpected error' },
  {
    name: 'CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME, QWEN_HOME, QWEN_RUNTIME_DIR, COPILOT_HOME, OPENCODE_DB, XDG_CONFIG_HOME, XDG_DATA_HOME',
    text: 'where an assistant has its settings and transcripts, for `memd install` and `memd backfill`',
  },
  { name: 'HOME', text: 'home folder; memd stores its data in ~/.memd' },
];

export const files: readonly Entry[] = [
  {
    name: '~/.memd/NAMESPACE/config.json',
    text: 'settings, strict JSON; environment variables override them',
  },
  {
    name: '~/.memd/NAMESPACE/workspaces/KEY/',
    text: 'one project: db.sqlite, wal.ndjson, spool.ndjson, memd.sock, run.pid, http.port, and restore files of `mem prune`',
  },
  { name: '~/.memd/NAMESPACE/logs/KEY.ndjson', text: "the daemon's log" },
  { name: '~/.memd/NAMESPACE/health.ndjson', text: 'results of `memd monitor`' },
  { name: '~/.memd/auth.token', text: "the page's token" },
  { name: '.memd/scope.json', text: 'in the project, if you made it: where assistants may write' },
];

export const exitStatuses: readonly Entry[] = [
  { name: '0', text: 'success' },
  { name: '1', text: 'failure; stderr has the reason and what to do' },
  { name: '2', text: 'wrong command line' },
];
