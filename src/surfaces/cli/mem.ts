import type { ProgramSpec } from './program.ts';

/** The commands of `mem`, in the order of its help. */
export const mem: ProgramSpec = {
  name: 'mem',
  description: 'Works on the memory of this project: search it, look at it, pin what matters.',
  groups: [
    {
      title: 'Find and look:',
      commands: {
        search: async () => (await import('./commands/search.ts')).searchCommand,
        why: async () => (await import('./commands/search.ts')).whyCommand,
        show: async () => (await import('./commands/memories.ts')).showCommand,
        recent: async () => (await import('./commands/memories.ts')).recentCommand,
        timeline: async () => (await import('./commands/memories.ts')).timelineCommand,
        sessions: async () => (await import('./commands/sessions.ts')).sessionsCommand,
      },
    },
    {
      title: 'Keep and remove:',
      commands: {
        pin: async () => (await import('./commands/memories.ts')).pinCommand,
        unpin: async () => (await import('./commands/memories.ts')).unpinCommand,
        forget: async () => (await import('./commands/forget.ts')).forgetCommand,
        prune: async () => (await import('./commands/prune.ts')).pruneCommand,
      },
    },
    {
      title: 'Take away and bring back:',
      commands: {
        export: async () => (await import('./commands/export.ts')).exportCommand,
        import: async () => (await import('./commands/import.ts')).importCommand,
      },
    },
    {
      title: 'Shells:',
      commands: {
        completion: async () => (await import('./commands/completion.ts')).completionCommand,
      },
    },
  ],
  examples: ['mem search "the command that fixed the migration" --why', 'mem recent -n 5', 'mem pin 12'],
};
