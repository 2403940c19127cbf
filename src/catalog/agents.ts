// The agents that read skills from folders: where those are, and by which name each says hello over MCP.

export interface Agent {
  /** As written on the command line: `claude-code`. */
  readonly id: string;
  readonly title: string;
  /** What `clientInfo.name` may be, in lower case. */
  readonly clientNames: readonly string[];
  /** Folders that it reads skills from by itself: `./…` of the project, `~/…` of the user. In its own order. */
  readonly folders: readonly string[];
  /** A variable that moves the agent's folder in the home directory, and which folder that is. */
  readonly moved?: { readonly variable: string; readonly from: string };
}

export const AGENTS: readonly Agent[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    clientNames: ['claude-code'],
    folders: ['./.claude/skills', '~/.claude/skills'],
    moved: { variable: 'CLAUDE_CONFIG_DIR', from: '~/.claude' },
  },
];

export const findAgentByClient = (clientName: string): Agent | undefined =>
  AGENTS.find(({ clientNames }) => clientNames.includes(clientName.toLowerCase()));
