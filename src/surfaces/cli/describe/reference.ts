/** A name and what there is to know about it, in one sentence without its full stop. */
export interface Entry {
  readonly name: string;
  readonly text: string;
}

/** What the programs, the daemon and the hooks read of the environment. */
export const environment: readonly Entry[] = [
  { name: 'MEMD_NS', text: 'namespace: memories of another name live apart (default: default)' },
  {
    name: 'CLAUDE_PROJECT_DIR',
    text: "the project, when it is not the current folder's; assistants set it for their hooks",
  },
  { name: 'MEMD_DRAIN_BACKEND', text: 'what summarises: auto, local, hosted or builtin (drain.backend)' },
  {
    name: 'MEMD_CURATE_MODEL',
    text: 'who is asked about pairs of memories: off, local or any (curate.model)',
  },
  {
    name: 'LOCALLLM_HOST',
    text: 'address of the local model runtime, with or without scheme and port (localllm.endpoint)',
  },
  {
    name: 'HOSTEDLLM_API_KEY',
    text: 'key of the hosted model; its only place, since no file may hold it. Without it nothing is ever sent out',
  },
  { name: 'MEMD_NO_HTTP', text: '1 at the start of the daemon: no page, no port' },
  { name: 'MEMD_HTTP_PORT', text: "the page's port (http.port; default: a random free one)" },
  { name: 'BROWSER', text: 'what `memd web` opens the page with, %s in the place of the address of a file' },
  { name: 'NO_COLOR', text: 'any value: no colour. TERM=dumb does the same' },
  { name: 'MEMD_DEBUG', text: 'any value: where an unexpected error came from' },
  {
    name: 'CLAUDE_CONFIG_DIR, CODEX_HOME, GEMINI_CLI_HOME, QWEN_HOME, QWEN_RUNTIME_DIR, COPILOT_HOME, OPENCODE_DB, XDG_CONFIG_HOME, XDG_DATA_HOME',
    text: 'where an assistant keeps its settings and transcripts; read for `memd install` and `memd backfill` as the assistant itself reads them',
  },
  { name: 'HOME', text: 'below it lies ~/.memd' },
];

export const files: readonly Entry[] = [
  { name: '~/.memd/NAMESPACE/config.json', text: 'settings, strict JSON; the environment stands over them' },
  {
    name: '~/.memd/NAMESPACE/workspaces/KEY/',
    text: 'one project: db.sqlite, wal.ndjson, spool.ndjson, memd.sock, run.pid, http.port, and restore files of prune',
  },
  { name: '~/.memd/NAMESPACE/logs/KEY.ndjson', text: "the daemon's log" },
  { name: '~/.memd/NAMESPACE/health.ndjson', text: 'what `memd monitor` found' },
  { name: '~/.memd/auth.token', text: "the page's token" },
  {
    name: '.memd/scope.json',
    text: 'in the project, when you asked for it: where assistants may write',
  },
];

export const exitStatuses: readonly Entry[] = [
  { name: '0', text: 'done' },
  { name: '1', text: 'failed; the reason and what to do stand on stderr' },
  { name: '2', text: 'the command line was not understood' },
];
