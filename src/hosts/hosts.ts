// The agents that read skills from folders: where those are, and by which name each says hello over MCP. Reads no disk.
// Where every line comes from: docs/hosts.md.

export interface Host {
  /** As written on the command line: `claude-code`. The same as `connect` has for it, where that knows it. */
  readonly id: string;
  readonly title: string;
  /** What `clientInfo.name` may be, in lower case. Empty: not known. */
  readonly clientNames: readonly string[];
  /**
   * Folders that it reads skills from without being told to, in about its own order: `./…` of the project, `~/…` of the
   * user, `$VARIABLE/…` where the variable is set. Not those that need a setting: a skill that is taken for the host's
   * own, and is not, would be missing there (D10).
   */
  readonly folders: readonly string[];
  /** Variables that move folders of the user; the first that is set and fits counts. */
  readonly moved?: readonly Move[];
}

interface Move {
  readonly variable: string;
  /** The folder that the variable stands for: `~/.codex`. */
  readonly from: string;
  /** What the host appends to the variable's value. */
  readonly below?: string;
  /** When it is set the host reads no other folder of the user. */
  readonly alone?: true;
}

const ofProject = (...parents: readonly string[]) => parents.map((parent) => `./${parent}/skills`);
const ofUser = (...parents: readonly string[]) => parents.map((parent) => `~/${parent}/skills`);
const ofBoth = (...parents: readonly string[]) => [...ofProject(...parents), ...ofUser(...parents)];

/** In order of precedence when several are asked for: the first folder wins on a duplicate name (D5). */
export const HOSTS: readonly Host[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    clientNames: ['claude-code'],
    folders: ofBoth('.claude'),
    moved: [{ variable: 'CLAUDE_CONFIG_DIR', from: '~/.claude' }],
  },
  {
    id: 'codex',
    title: 'Codex',
    clientNames: ['codex-mcp-client', 'codex'],
    folders: ofBoth('.agents', '.codex'),
    moved: [{ variable: 'CODEX_HOME', from: '~/.codex' }],
  },
  {
    id: 'cursor',
    title: 'Cursor',
    clientNames: ['cursor-vscode'],
    folders: ofBoth('.agents', '.cursor', '.claude', '.codex'),
  },
  {
    id: 'vscode',
    title: 'VS Code (GitHub Copilot)',
    // The product's long name; over HTTP it has been seen with hyphens.
    clientNames: ['visual studio code', 'visual-studio-code', 'visual studio code - insiders'],
    folders: [...ofProject('.github', '.claude', '.agents'), ...ofUser('.copilot', '.claude', '.agents')],
  },
  {
    id: 'github-copilot-cli',
    title: 'GitHub Copilot CLI',
    clientNames: ['github-copilot-developer'],
    folders: [...ofProject('.github', '.claude', '.agents'), ...ofUser('.copilot', '.agents')],
    moved: [{ variable: 'COPILOT_HOME', from: '~/.copilot', alone: true }],
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    clientNames: ['gemini-cli-mcp-client'],
    folders: ofBoth('.agents', '.gemini'),
    moved: [{ variable: 'GEMINI_CLI_HOME', from: '~' }],
  },
  {
    id: 'opencode',
    title: 'OpenCode',
    clientNames: ['opencode'],
    folders: [
      ...ofProject('.opencode', '.claude', '.agents'),
      ...ofUser('.config/opencode', '.opencode', '.claude', '.agents'),
      '$OPENCODE_CONFIG_DIR/skills',
    ],
    moved: [{ variable: 'XDG_CONFIG_HOME', from: '~/.config' }],
  },
  {
    id: 'goose',
    title: 'goose',
    clientNames: ['goose', 'goose-cli', 'goose-desktop'],
    folders: [
      ...ofProject('.goose', '.claude', '.agents'),
      ...ofUser('.agents', '.config/goose', '.claude', '.config/agents'),
    ],
    moved: [
      { variable: 'GOOSE_PATH_ROOT', from: '~/.config/goose', below: 'config' },
      // Not the folder beside it: goose looks for that one in the home directory, whatever the variable says.
      { variable: 'XDG_CONFIG_HOME', from: '~/.config/goose', below: 'goose' },
    ],
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    clientNames: ['windsurf-client', 'windsurf'],
    folders: [...ofProject('.windsurf', '.agents'), ...ofUser('.codeium/windsurf', '.agents')],
  },
  {
    id: 'cline',
    title: 'Cline',
    clientNames: ['cline', '@cline/core'],
    folders: [...ofProject('.clinerules', '.cline', '.claude', '.agents'), ...ofUser('.cline', '.agents')],
    moved: [{ variable: 'CLINE_DIR', from: '~/.cline' }],
  },
  {
    id: 'kilo-code',
    title: 'Kilo Code',
    clientNames: ['kilo', 'kilo-code'],
    folders: [
      ...ofProject('.kilo', '.kilocode', '.agents'),
      ...ofUser('.kilo', '.kilocode', '.config/kilo', '.agents'),
      '$KILO_CONFIG_DIR/skills',
    ],
    moved: [{ variable: 'XDG_CONFIG_HOME', from: '~/.config' }],
  },
  {
    id: 'roo-code',
    title: 'Roo Code',
    clientNames: ['roo code', 'roo-code'],
    folders: ofBoth('.roo', '.agents'),
  },
  {
    id: 'amp',
    title: 'Amp',
    clientNames: ['amp-mcp-client'],
    folders: [...ofProject('.agents', '.claude'), ...ofUser('.config/agents', '.config/amp', '.claude')],
    moved: [{ variable: 'XDG_CONFIG_HOME', from: '~/.config' }],
  },
  {
    id: 'antigravity',
    title: 'Antigravity',
    clientNames: ['antigravity-client'],
    folders: [...ofProject('.agents', '.agent'), ...ofUser('.gemini/config', '.gemini/antigravity')],
  },
  {
    id: 'augment',
    title: 'Augment (Auggie)',
    clientNames: [],
    folders: ofBoth('.augment', '.claude', '.agents'),
  },
  {
    id: 'continue',
    title: 'Continue',
    clientNames: ['continue-client', 'continue-cli-client'],
    folders: [...ofProject('.continue', '.claude'), ...ofUser('.continue')],
    moved: [{ variable: 'CONTINUE_GLOBAL_DIR', from: '~/.continue' }],
  },
  {
    id: 'crush',
    title: 'Crush',
    clientNames: ['crush'],
    folders: [
      ...ofProject('.agents', '.crush', '.claude', '.cursor'),
      ...ofUser('.config/crush', '.config/agents', '.agents', '.claude'),
    ],
    moved: [
      { variable: 'CRUSH_SKILLS_DIR', from: '~/.config/crush/skills', alone: true },
      { variable: 'XDG_CONFIG_HOME', from: '~/.config' },
    ],
  },
  {
    id: 'droid',
    title: 'Factory Droid',
    clientNames: ['factory-cli'],
    folders: [...ofProject('.factory', '.agent'), ...ofUser('.factory')],
  },
  {
    id: 'grok-build',
    title: 'Grok Build',
    clientNames: [],
    folders: [...ofProject('.grok'), ...ofUser('.grok', '.claude')],
    moved: [{ variable: 'GROK_HOME', from: '~/.grok' }],
  },
  {
    id: 'junie',
    title: 'Junie',
    clientNames: [],
    folders: ofBoth('.junie'),
  },
  {
    id: 'kimi-code',
    title: 'Kimi Code',
    clientNames: ['kimi-code'],
    folders: ofBoth('.kimi-code', '.agents'),
    moved: [{ variable: 'KIMI_CODE_HOME', from: '~/.kimi-code' }],
  },
  {
    id: 'kiro-cli',
    title: 'Kiro',
    clientNames: [],
    folders: ofBoth('.kiro'),
  },
  {
    id: 'mistral-vibe',
    title: 'Mistral Vibe',
    clientNames: [],
    folders: [...ofProject('.agents', '.vibe'), ...ofUser('.vibe', '.agents')],
    moved: [{ variable: 'VIBE_HOME', from: '~/.vibe' }],
  },
  {
    id: 'openhands',
    title: 'OpenHands',
    clientNames: [],
    folders: ofBoth('.agents', '.openhands'),
  },
  {
    id: 'pi',
    title: 'Pi',
    clientNames: [],
    folders: [...ofProject('.pi', '.agents'), ...ofUser('.pi/agent', '.agents')],
    moved: [{ variable: 'PI_CODING_AGENT_DIR', from: '~/.pi/agent' }],
  },
  {
    id: 'qwen-code',
    title: 'Qwen Code',
    // The name that the server has in its settings is a part: `connect` writes `repertoire`.
    clientNames: ['qwen-code-mcp-client', 'qwen-cli-mcp-client-repertoire'],
    folders: ofBoth('.qwen', '.agents'),
    moved: [{ variable: 'QWEN_HOME', from: '~/.qwen' }],
  },
  {
    id: 'trae',
    title: 'Trae',
    clientNames: [],
    folders: ofBoth('.trae'),
  },
  {
    id: 'warp',
    title: 'Warp',
    clientNames: [],
    folders: ofBoth(
      '.agents',
      '.warp',
      '.claude',
      '.codex',
      '.cursor',
      '.gemini',
      '.copilot',
      '.factory',
      '.github',
      '.opencode',
    ),
  },
  {
    id: 'zed',
    title: 'Zed',
    clientNames: ['zed'],
    folders: ofBoth('.agents'),
  },
];

export const findHostByClient = (clientName: string): Host | undefined =>
  HOSTS.find(({ clientNames }) => clientNames.includes(clientName.trim().toLowerCase()));

/** Those of these names, in the order of the table; `all` stands for every one. Others are passed over. */
export function selectHosts(names: readonly string[]): readonly Host[] {
  const wanted = new Set(names.map(asId));
  return wanted.has(EVERY) ? HOSTS : HOSTS.filter(({ id }) => wanted.has(id));
}

/** As they were given. Whoever takes names from a person refuses these: nothing is guessed. */
export const findUnknownHosts = (names: readonly string[]): readonly string[] =>
  names.filter((name) => asId(name) !== EVERY && !HOSTS.some(({ id }) => id === asId(name)));

const EVERY = 'all';

const asId = (name: string): string => name.trim().toLowerCase();
