import { isObject, type Json, type JsonObject } from '#core/event';

const sessions: Readonly<Record<string, string>> = {
  CLAUDE: 'c1a0de00-0000-4000-8000-0000000000a1',
  PLUGIN: 'c1a0de00-0000-4000-8000-0000000000a2',
  CODEX: '01c0de00-0000-7000-8000-0000000000b3',
  COPILOT: 'c0b10700-0000-4000-8000-0000000000a4',
  PASCAL: 'c0b10700-0000-4000-8000-0000000000a5',
  GEMINI: '9e0de000-0000-4000-8000-0000000000a6',
  QWEN: '0e0e0000-0000-4000-8000-0000000000a7',
  OPENCODE: 'ses_0m111a8',
  KILO: 'ses_0m111b9',
  PI: '0a210000-0000-7000-8000-0000000000ab',
  CLINE: '1777863720500_m111c',
  CURSOR: 'f0000000-0000-4000-8000-0000000000a9',
};

/** What each recorded call is stored as: client, tool, 1 for failed, session, call id, all in one line, by the payload's name. */
export const stored: ReadonlyMap<string, string> = new Map(
  table`
    claude-code/PostToolUse/Agent-async            claude-code Agent 0 CLAUDE toolu_Agent-async
    claude-code/PostToolUse/Agent-sync             claude-code Agent 0 CLAUDE toolu_Agent-sync
    claude-code/PostToolUse/Agent-in-subagent      claude-code Agent 0 CLAUDE toolu_Agent-in-subagent
    claude-code/PostToolUse/Bash                   claude-code Bash 0 CLAUDE toolu_Bash
    claude-code/PostToolUse/Bash-2                 claude-code Bash 0 CLAUDE toolu_Bash-2
    claude-code/PostToolUse/Bash-in-subagent       claude-code Bash 0 CLAUDE toolu_Bash-in-subagent
    claude-code/PostToolUse/Bash-in-subagent-2     claude-code Bash 0 CLAUDE toolu_Bash-in-subagent-2
    claude-code/PostToolUse/Edit                   claude-code Edit 0 CLAUDE toolu_Edit
    claude-code/PostToolUse/Glob                   claude-code Glob 0 CLAUDE toolu_Glob
    claude-code/PostToolUse/Glob-in-subagent       claude-code Glob 0 CLAUDE toolu_Glob-in-subagent
    claude-code/PostToolUse/Grep                   claude-code Grep 0 CLAUDE toolu_Grep
    claude-code/PostToolUse/Grep-in-subagent       claude-code Grep 0 CLAUDE toolu_Grep-in-subagent
    claude-code/PostToolUse/Read                   claude-code Read 0 CLAUDE toolu_Read
    claude-code/PostToolUse/Read-in-subagent       claude-code Read 0 CLAUDE toolu_Read-in-subagent
    claude-code/PostToolUse/Write                  claude-code Write 0 CLAUDE toolu_Write
    claude-code/PostToolUse/Write-in-subagent      claude-code Write 0 CLAUDE toolu_Write-in-subagent
    claude-code/PostToolUse/mcp__tide__table       claude-code mcp__tide__table 0 CLAUDE toolu_mcp_tide_table
    claude-code/PostToolUse/mcp__tide__table-in-subagent claude-code mcp__tide__table 0 CLAUDE toolu_mcp_tide_table-in-subagent
    claude-code/PostToolUseFailure/Bash            claude-code Bash 1 CLAUDE toolu_failed_Bash
    claude-code/PostToolUseFailure/Read            claude-code Read 1 CLAUDE toolu_failed_Read
    claude-code-plugin/PostToolUse/Agent           claude-code Agent 0 PLUGIN toolu_Agent
    claude-code-plugin/PostToolUse/Bash            claude-code Bash 0 PLUGIN toolu_Bash
    codex/PostToolUse/Bash                         codex Bash 0 CODEX call_mill03
    codex/PostToolUse/apply_patch                  codex apply_patch 0 CODEX call_mill09
    codex/PostToolUse/mcp__tide__table             codex mcp__tide__table 0 CODEX call_mill15
    copilot-cli/postToolUse/apply_patch            copilot-cli apply_patch 0 COPILOT
    copilot-cli/postToolUse/bash                   copilot-cli bash 0 COPILOT
    copilot-cli/postToolUse/tide-table             copilot-cli tide-table 0 COPILOT
    copilot-cli/postToolUse/view                   copilot-cli view 0 COPILOT
    copilot-cli/postToolUseFailure/view            copilot-cli view 1 COPILOT
    copilot-cli-pascal/PostToolUse/Bash            copilot-cli bash 1 PASCAL
    cline/PostToolUse/editor                       cline editor 0 CLINE call_mill02
    cline/PostToolUse/read_files                   cline read_files 0 CLINE call_mill03
    cline/PostToolUse/run_commands                 cline run_commands 0 CLINE call_mill01
    cline/PostToolUse/run_commands-in-agent        cline run_commands 0 CLINE call_mill05
    cline/PostToolUse/spawn_agent                  cline spawn_agent 0 CLINE call_mill04
    cline/PostToolUseFailure/editor                cline editor 1 CLINE call_mill09
    cline/PostToolUseFailure/read_files            cline read_files 1 CLINE call_mill08
    cline/PostToolUseFailure/run_commands          cline run_commands 1 CLINE call_mill07
    cursor/afterFileEdit/any                       cursor Edit 0 CURSOR
    cursor/afterMCPExecution/table                 cursor table 0 CURSOR
    cursor/afterShellExecution/any                 cursor Shell 0 CURSOR
    cursor/postToolUse/Read                        cursor Read 0 CURSOR use_3
    cursor/postToolUseFailure/Shell                cursor Shell 1 CURSOR use_4
    gemini-cli/AfterTool/mcp_tide_table            gemini-cli mcp_tide_table 0 GEMINI
    gemini-cli/AfterTool/read_file                 gemini-cli read_file 0 GEMINI
    gemini-cli/AfterTool/replace                   gemini-cli replace 0 GEMINI
    gemini-cli/AfterTool/run_shell_command         gemini-cli run_shell_command 0 GEMINI
    gemini-cli/AfterTool/write_file                gemini-cli write_file 0 GEMINI
    opencode/after/bash                            opencode bash 0 OPENCODE call_mill03
    opencode/after/edit                            opencode edit 0 OPENCODE call_mill07
    opencode/after/tide_table                      opencode tide_table 0 OPENCODE call_mill15
    opencode/after/read                            opencode read 0 OPENCODE call_mill05
    opencode/after/write                           opencode write 0 OPENCODE call_mill09
    kilo/after/bash                                kilo bash 0 KILO call_mill01
    kilo/after/bash-failed                         kilo bash 1 KILO call_mill02
    kilo/after/edit                                kilo edit 0 KILO call_mill05
    kilo/after/read                                kilo read 0 KILO call_mill04
    kilo/after/write                               kilo write 0 KILO call_mill03
    pi/PostToolUse/bash                            pi bash 0 PI call_mill01
    pi/PostToolUse/edit                            pi edit 0 PI call_mill04
    pi/PostToolUse/read                            pi read 0 PI call_mill05
    pi/PostToolUse/write                           pi write 0 PI call_mill03
    pi/PostToolUseFailure/bash                     pi bash 1 PI call_mill02
    qwen-code/PostToolUse/edit                     qwen-code edit 0 QWEN call_mill06
    qwen-code/PostToolUse/mcp__tide__table         qwen-code mcp__tide__table 0 QWEN call_mill14
    qwen-code/PostToolUse/read_file                qwen-code read_file 0 QWEN call_mill04
    qwen-code/PostToolUse/run_shell_command        qwen-code run_shell_command 0 QWEN call_mill02
    qwen-code/PostToolUse/write_file               qwen-code write_file 0 QWEN call_mill08
    qwen-code/PostToolUseFailure/read_file         qwen-code read_file 1 QWEN call_mill12
    qwen-code/PostToolUseFailure/run_shell_command qwen-code run_shell_command 1 QWEN call_mill10
  `,
);

/** What each recorded message is stored as: client, tool, session, turn and subagent, by the payload's name. */
export const said: ReadonlyMap<string, string> = new Map(
  messageTable`
    claude-code/PostCompact/any                 claude-code Reply CLAUDE c1a0de00-0000-4000-8000-0000000000a1
    claude-code/Stop/any                        claude-code Reply CLAUDE c1a0de00-0000-4000-8000-0000000000a1
    claude-code/StopFailure/any                 claude-code Reply CLAUDE c1a0de00-0000-4000-8000-0000000000a1
    claude-code/SubagentStop/any                claude-code Reply CLAUDE c1a0de00-0000-4000-8000-0000000000a1 a000000000000000c
    claude-code/UserPromptSubmit/any            claude-code Prompt CLAUDE c1a0de00-0000-4000-8000-0000000000a1
    cline/Stop/agent                            cline Reply CLINE 5c1e0000-0000-4000-8000-0000000000c2 agent_1777863725186_0m1113
    cline/Stop/any                              cline Reply CLINE 5c1e0000-0000-4000-8000-0000000000c1
    cline/UserPromptSubmit/any                  cline Prompt CLINE 5c1e0000-0000-4000-8000-0000000000c1
    codex/Stop/any                              codex Reply CODEX 01c0de00-0000-7000-8000-0000000000b3
    codex/UserPromptSubmit/any                  codex Prompt CODEX 01c0de00-0000-7000-8000-0000000000b3
    copilot-cli/userPromptSubmitted/any         copilot-cli Prompt COPILOT
    cursor/afterAgentResponse/any               cursor Reply CURSOR f0000000-0000-4000-8000-0000000000b9
    cursor/beforeSubmitPrompt/any               cursor Prompt CURSOR f0000000-0000-4000-8000-0000000000b9
    gemini-cli/AfterAgent/any                   gemini-cli Reply GEMINI
    gemini-cli/BeforeAgent/any                  gemini-cli Prompt GEMINI
    opencode/chat.message/any                   opencode Prompt OPENCODE msg_0m111
    kilo/chat.message/any                       kilo Prompt KILO msg_0m112
    pi/PostCompact/any                          pi Reply PI 1777863721531
    pi/Stop/any                                 pi Reply PI 1777863721562
    pi/UserPromptSubmit/any                     pi Prompt PI 1777863721562
    qwen-code/Stop/any                          qwen-code Reply QWEN 0e0e0000-0000-4000-8000-0000000000a7########0
    qwen-code/StopFailure/any                   qwen-code Reply QWEN 0e0e0000-0000-4000-8000-0000000000a7########0
    qwen-code/UserPromptSubmit/any              qwen-code Prompt QWEN 0e0e0000-0000-4000-8000-0000000000a7########0
  `,
);

/** The planned calls that write sluice, wheel or flour. */
export const denied: ReadonlySet<string> = new Set(
  words`
    claude-code/PreToolUse/Bash claude-code/PreToolUse/Edit claude-code/PreToolUse/Write
    cline/PreToolUse/editor cline/PreToolUse/editor-replaces cline/PreToolUse/run_commands
    codex/PreToolUse/Bash codex/PreToolUse/apply_patch
    copilot-cli/preToolUse/apply_patch copilot-cli/preToolUse/bash
    cursor/beforeShellExecution/any cursor/preToolUse/Shell cursor/preToolUse/Write
    gemini-cli/BeforeTool/replace gemini-cli/BeforeTool/run_shell_command gemini-cli/BeforeTool/write_file
    opencode/before/bash opencode/before/edit opencode/before/write
    kilo/before/bash kilo/before/edit kilo/before/write
    pi/PreToolUse/bash pi/PreToolUse/edit pi/PreToolUse/write
    qwen-code/PreToolUse/edit qwen-code/PreToolUse/run_shell_command qwen-code/PreToolUse/write_file`,
);

/** Of one payload an event, those with which a session begins; what OpenCode starts a plugin with is as good. */
export const started: ReadonlySet<string> = new Set(
  words`
    claude-code/SessionStart/compact claude-code-plugin/SessionStart/any cline/SessionStart/startup codex/SessionStart/any
    copilot-cli/sessionStart/any copilot-cli-pascal/SessionStart/any cursor/sessionStart/any
    gemini-cli/SessionStart/any opencode/init/any pi/SessionStart/startup qwen-code/SessionStart/any`,
);

/** The payloads of sessions that end or are compacted, and their sessions. */
export const paused: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'claude-code/PreCompact/any': 'CLAUDE',
    'claude-code/SessionEnd/any': 'CLAUDE',
    'cline/SessionEnd/any': 'CLINE',
    'codex/SessionEnd/any': 'CODEX',
    'copilot-cli/sessionEnd/any': 'COPILOT',
    'cursor/preCompact/any': 'CURSOR',
    'cursor/sessionEnd/any': 'CURSOR',
    'gemini-cli/PreCompress/any': 'GEMINI',
    'gemini-cli/SessionEnd/any': 'GEMINI',
    'pi/PreCompact/any': 'PI',
    'pi/SessionEnd/any': 'PI',
  }).map(([name, session]) => [name, sessions[session] ?? '']),
);

/** The distinct shapes of `payloads` by their events: keys, and the types behind them. */
export function kindsOf(payloads: readonly (readonly [event: string, payload: JsonObject])[]): object {
  const kinds = new Map<string, Set<string>>();
  for (const [event, payload] of payloads) {
    kinds.set(event, (kinds.get(event) ?? new Set()).add(JSON.stringify(shapeOf(payload))));
  }
  return Object.fromEntries(
    [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([event, shapes]) => [event, [...shapes].sort()]),
  );
}

function shapeOf(value: Json): Json {
  if (value === null) return 'null';
  if (Array.isArray(value))
    return [...new Set(value.map((one: Json) => JSON.stringify(shapeOf(one))))].sort();
  if (!isObject(value)) return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, shapeOf(inner)]),
  );
}

function words(text: TemplateStringsArray): string[] {
  return text.join('').trim().split(/\s+/);
}

function messageTable(text: TemplateStringsArray): [string, string][] {
  const lines = text.join('').trim().split('\n');
  return lines.map((line) => {
    const [name = '', client, tool, session = '', ...ids] = line.trim().split(/\s+/);
    return [name, [client, tool, sessions[session], ...ids].join(' ')];
  });
}

function table(text: TemplateStringsArray): [string, string][] {
  const lines = text.join('').trim().split('\n');
  return lines.map((line) => {
    const [name = '', client, tool, failed, session = '', call = ''] = line.trim().split(/\s+/);
    return [name, [client, tool, failed, sessions[session], call].join(' ')];
  });
}
