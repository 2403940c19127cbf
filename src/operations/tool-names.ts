// What the tools over documents are called, in the order of the tool list.

export const TOOL_NAMES = {
  skill: 'skill',
  list_skills: 'list_skills',
  search_skills: 'search_skills',
  get_skill: 'get_skill',
  read_skill_file: 'read_skill_file',
} as const;

export type DocumentToolName = keyof typeof TOOL_NAMES;

/**
 * By the name that we give a tool: the name that agents see, also where the tools mention each other.
 *
 * @example
 * const toolNames: Partial<ToolNames> = { skill: 'load_support_skill', list_skills: 'list_support_skills' };
 * registerSkills(server, catalog, { toolNames });
 */
export type ToolNames = Readonly<Record<DocumentToolName, string>>;
