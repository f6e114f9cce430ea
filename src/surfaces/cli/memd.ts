import type { ProgramSpec } from './program.ts';

/** In the order of its help. */
export const memd: ProgramSpec = {
  name: 'memd',
  description: 'Run the daemon that records what your coding assistant does in this project.',
  groups: [
    {
      title: 'Start here:',
      commands: {
        setup: async () => (await import('./commands/setup.ts')).setupCommand,
        up: async () => (await import('./commands/up.ts')).upCommand,
        init: async () => (await import('./commands/init.ts')).initCommand,
      },
    },
    {
      title: 'Daemon:',
      commands: {
        start: async () => (await import('./commands/start.ts')).startCommand,
        stop: async () => (await import('./commands/stop.ts')).stopCommand,
        restart: async () => (await import('./commands/stop.ts')).restartCommand,
        info: async () => (await import('./commands/info.ts')).infoCommand,
        doctor: async () => (await import('./commands/doctor.ts')).doctorCommand,
        logs: async () => (await import('./commands/logs.ts')).logsCommand,
        monitor: async () => (await import('./commands/monitor.ts')).monitorCommand,
      },
    },
    {
      title: 'Memory:',
      commands: {
        web: async () => (await import('./commands/web.ts')).webCommand,
        backfill: async () => (await import('./commands/backfill.ts')).backfillCommand,
        drain: async () => (await import('./commands/drain.ts')).drainCommand,
        adopt: async () => (await import('./commands/adopt.ts')).adoptCommand,
        workspaces: async () => (await import('./commands/workspaces.ts')).workspacesCommand,
        sync: async () => (await import('./commands/sync.ts')).syncCommand,
        told: async () => (await import('./commands/told.ts')).toldCommand,
        focus: async () => (await import('./commands/focus.ts')).focusCommand,
      },
    },
    {
      title: 'Assistants and shells:',
      commands: {
        install: async () => (await import('./commands/install.ts')).installCommand,
        uninstall: async () => (await import('./commands/install.ts')).uninstallCommand,
        hook: async () => (await import('./commands/hook.ts')).hookCommand,
        mcp: async () => (await import('./commands/mcp.ts')).mcpCommand,
        scope: async () => (await import('./commands/scope.ts')).scopeCommand,
        completion: async () => (await import('./commands/completion.ts')).completionCommand,
      },
    },
  ],
  examples: ['memd setup', 'memd info', 'mem search "why did we drop redis"'],
};
