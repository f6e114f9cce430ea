import type { ProgramSpec } from './program.ts';

/** In the order of its help. */
export const mem: ProgramSpec = {
  name: 'mem',
  description: 'Search and manage the memory of this project.',
  groups: [
    {
      title: 'Search and show:',
      commands: {
        search: async () => (await import('./commands/search.ts')).searchCommand,
        why: async () => (await import('./commands/search.ts')).whyCommand,
        show: async () => (await import('./commands/show.ts')).showCommand,
        recent: async () => (await import('./commands/memories.ts')).recentCommand,
        timeline: async () => (await import('./commands/memories.ts')).timelineCommand,
        log: async () => (await import('./commands/log.ts')).logCommand,
        resume: async () => (await import('./commands/resume.ts')).resumeCommand,
        handoff: async () => (await import('./commands/handoff.ts')).handoffCommand,
        sessions: async () => (await import('./commands/sessions.ts')).sessionsCommand,
      },
    },
    {
      title: 'Keep and remove:',
      commands: {
        remember: async () => (await import('./commands/remember.ts')).rememberCommand,
        rule: async () => (await import('./commands/rules.ts')).ruleCommand,
        rules: async () => (await import('./commands/rules.ts')).rulesCommand,
        pin: async () => (await import('./commands/memories.ts')).pinCommand,
        unpin: async () => (await import('./commands/memories.ts')).unpinCommand,
        promote: async () => (await import('./commands/memories.ts')).promoteCommand,
        forget: async () => (await import('./commands/forget.ts')).forgetCommand,
        prune: async () => (await import('./commands/prune.ts')).pruneCommand,
      },
    },
    {
      title: 'Export and import:',
      commands: {
        export: async () => (await import('./commands/export.ts')).exportCommand,
        import: async () => (await import('./commands/import.ts')).importCommand,
      },
    },
    {
      title: 'Shell:',
      commands: {
        completion: async () => (await import('./commands/completion.ts')).completionCommand,
      },
    },
  ],
  examples: ['mem search "the command that fixed the migration" --why', 'mem recent -k 5', 'mem pin 12'],
};
