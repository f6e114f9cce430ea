import { argument, ownFolder } from './input.ts';

/** What the hook knows in addition to the payload. */
export type CaptureContext = Readonly<ReturnType<typeof captureContext>>;

/**
 * The request for the daemon. The payload goes as it came: writing a parsed one again costs time, and fails when it is nested deeply.
 * A line break between its tokens would end the request.
 */
export function captureFrame(payload: string, { client, ...context }: CaptureContext): string {
  const head = JSON.stringify({ op: 'capture', ...context, ...(client === undefined ? {} : { client }) });
  return `${head.slice(0, -1)},"payload":${payload.replaceAll('\n', ' ')}}\n`;
}

/** The context on the command line of the process that goes on. */
export function captureWords({ receivedAt, attempt, cwd, client }: CaptureContext): string[] {
  const words = ['--received-at', receivedAt, '--attempt', attempt, '--cwd', cwd];
  return [...words, ...(client === undefined ? [] : ['--client', client])];
}

/** The same, read there; without them, those of a hook in this process. `reportedFolder` is what the payload names. */
export function captureContext(reportedFolder = '') {
  const { CLAUDE_PROJECT_DIR: project } = process.env;
  // The shell's folder may be removed; then the client's project folder counts.
  const cwd = argument('cwd') || ownFolder() || project || reportedFolder || process.cwd();
  return {
    receivedAt: argument('received-at') ?? new Date().toISOString(),
    /** Names this run of the hook, the same on every way that the observation takes. */
    attempt: argument('attempt') ?? `${process.pid}.${Date.now()}`,
    /** The hook's folder, or the project's if that was removed. */
    cwd,
    /** The folder by which the project is found. */
    place: project || cwd,
    client: argument('client'),
  };
}
