// Everything an MCP client can ask of us, as one table of plain functions (DESIGN 12).
import type { Repertoire } from '../../repertoire.ts';
import { describeSkills } from './catalogue.ts';
import type { Method, MethodTable, ServerEvent } from './method.ts';
import { getSkillTool } from './methods/get-skill.ts';
import { listSkillsTool } from './methods/list-skills.ts';
import { readSkillFileTool } from './methods/read-skill-file.ts';
import { skillTool } from './methods/skill.ts';
import { callTool, listTools } from './methods/tools.ts';
import { PreparedAnswers } from './prepared-answers.ts';

export interface TableOptions {
  readonly repertoire: Repertoire;
  readonly version: string;
}

/** Hosts cut instructions at 2,048 characters; ours end before (PROTOCOL). */
const MAX_INSTRUCTIONS = 2_000;

export function createMethodTable({ repertoire, version }: TableOptions): MethodTable {
  const prepared = new PreparedAnswers();
  const tools = [
    skillTool(repertoire, prepared),
    listSkillsTool(repertoire),
    getSkillTool(repertoire, prepared),
    readSkillFileTool(repertoire),
  ];
  const methods = new Map<string, Method>([
    ['tools/list', listTools(tools)],
    ['tools/call', whenWhole(repertoire, callTool(tools))],
  ]);
  return {
    info: { name: 'repertoire', title: 'Repertoire', version },
    capabilities: { tools: { listChanged: true } },
    instructions: () => INTRODUCTION + describeSkills(repertoire.snapshot, MAX_INSTRUCTIONS - INTRODUCTION.length),
    methods,
    cacheHints: {},
    subscribe: (listener: (event: ServerEvent) => void) => repertoire.subscribe(() => listener({ kind: 'tools' })),
  };
}

/** Whoever looks something up sees every skill; the tool list does not wait for that. */
function whenWhole(repertoire: Repertoire, method: Method): Method {
  return (params, context) =>
    repertoire.isWhole ? method(params, context) : repertoire.whole().then(() => method(params, context));
}

const INTRODUCTION =
  'Repertoire serves skills: instructions for kinds of tasks, kept as folders with a SKILL.md. ' +
  "They are separate from the host's own skills. Before a task that one of them fits, load it with the tool skill " +
  '(by name) and follow it; list_skills shows every one, read_skill_file reads the files that a skill mentions.\n\nSkills:\n';
