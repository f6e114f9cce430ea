const names = {
  command:
    'bash shell run_shell_command exec_command local_shell local_shell_call execute_command run_terminal_cmd ' +
    'run_in_terminal powershell terminal unified_exec shell_command run_command run_commands execute_bash',
  edit:
    'edit multiedit write notebookedit apply_patch replace write_file edit_file create create_file patch ' +
    'str_replace str_replace_editor str_replace_based_edit_tool search_replace insert insert_edit_into_file ' +
    'replace_string_in_file multi_replace_string_in_file write_to_file replace_in_file delete_file save-file editor',
  read: 'read read_file view view_file read_many_files notebookread open_file readfile view_image get_file read_files',
  search:
    'grep glob ls list search_file_content grep_search rg ripgrep find find_files list_directory list_dir ' +
    'file_search codebase_search semantic_search websearch google_web_search web_search lsp toolsearch ' +
    'search_files list_files search_codebase',
  web: 'webfetch web_fetch fetch fetch_webpage read_web_page browser_navigate fetch_web_content',
  agent: 'task agent spawn_agent subagent run_subagent delegate_to_agent dispatch_agent',
  plan:
    'todowrite todo_write write_todos update_plan todoread todo_read exitplanmode exit_plan_mode ' +
    'enterplanmode taskcreate taskupdate tasklist taskget manage_todo_list update_todo',
  question:
    'askuserquestion ask_user_question ask_user question request_user_input ask_followup_question ask_question',
};

/** What kind of work a tool does, whatever its client calls it. */
export type ToolFamily = keyof typeof names | 'other';

const families = new Map<string, ToolFamily>(
  Object.entries(names).flatMap(([family, tools]) =>
    tools.split(' ').map((tool) => [tool, family as ToolFamily]),
  ),
);

/** The family by the tool's name alone, in any case; `other` for a tool nobody knows. */
export function toolFamily(tool: string): ToolFamily {
  return families.get(tool.toLowerCase()) ?? 'other';
}
