// What texts call our tools on a server that has only some of them: another way stands in for one that is not there.
import type { DocumentToolName, ToolNames } from '../../operations/operation.ts';

/** In order; the last one is a method that every client has. */
const INSTEAD = {
  skill: ['get_skill', 'resources/read'],
  list_skills: ['resources/list'],
  search_skills: ['list_skills', 'resources/list'],
  get_skill: ['skill', 'resources/read'],
  read_skill_file: ['resources/read'],
} as const satisfies Record<DocumentToolName, readonly string[]>;

/** Looked up when a text is made: the owner may add a tool later. */
export function mentionTools(names: ToolNames, isThere: (name: string) => boolean): ToolNames {
  const nameOf = (tool: DocumentToolName): string => {
    const all = INSTEAD[tool].map((other) => new Map<string, string>(Object.entries(names)).get(other) ?? other);
    return [names[tool], ...all].find((name) => name.includes('/') || isThere(name)) ?? names[tool];
  };
  return {
    get skill() {
      return nameOf('skill');
    },
    get list_skills() {
      return nameOf('list_skills');
    },
    get search_skills() {
      return nameOf('search_skills');
    },
    get get_skill() {
      return nameOf('get_skill');
    },
    get read_skill_file() {
      return nameOf('read_skill_file');
    },
  };
}
