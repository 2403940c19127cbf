// The hosts that are known: where each reads skills, by which name it introduces itself over MCP, and where it keeps its
// MCP servers. Reads no disk. Where every line comes from: docs/hosts.md and docs/connect.md.
import type { Host } from './host.ts';

const ofProject = (...parents: readonly string[]) => parents.map((parent) => `./${parent}/skills`);
const ofUser = (...parents: readonly string[]) => parents.map((parent) => `~/${parent}/skills`);
const jsoncOrJson = (name: string) => [`${name}.jsonc`, `${name}.json`];
const ofBoth = (...parents: readonly string[]) => [...ofProject(...parents), ...ofUser(...parents)];

/** In order of precedence when several are asked for: the first folder wins on a duplicate name (D5). */
export const HOSTS: readonly Host[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    clientNames: ['claude-code'],
    seen: '2.1.327',
    folders: ofBoth('.claude'),
    moved: [{ variable: 'CLAUDE_CONFIG_DIR', from: '~/.claude' }],
    config: {
      files: ['~/.claude.json'],
      projectFiles: ['./.mcp.json'],
      moved: [{ variable: 'CLAUDE_CONFIG_DIR', from: '~' }],
      installedWhen: ['~/.claude'],
      projectWarning: {
        when: './.github/mcp.json',
        text: 'GitHub Copilot CLI ignores .github/mcp.json once there is a .mcp.json: move its servers into the new file',
      },
      asks: {
        scopes: ['project'],
        open: 'Claude Code asks before it uses a server from .mcp.json: start it in this folder and approve "repertoire".',
        refused: 'Claude Code was told not to use "repertoire" in this folder: enable it there with /mcp.',
      },
      next: 'start a new session in Claude Code; /mcp shows "repertoire".',
    },
  },
  {
    id: 'claude-desktop',
    title: 'Claude Desktop',
    config: { files: ['%APPDATA%/Claude/claude_desktop_config.json'], programsOnly: true },
  },
  {
    id: 'codex',
    title: 'Codex',
    clientNames: ['codex-mcp-client', 'codex'],
    seen: '0.169.0',
    folders: ofBoth('.agents', '.codex'),
    moved: [{ variable: 'CODEX_HOME', from: '~/.codex' }],
    config: {
      files: ['~/.codex/config.toml'],
      projectFiles: ['./.codex/config.toml'],
      format: 'toml',
      key: 'mcp_servers',
      shape: 'codex',
      asks: {
        scopes: ['project'],
        open: 'Codex ignores the settings of a folder that it does not trust: start Codex in this folder and trust it.',
        refused: 'Codex was told not to trust this folder, and ignores its settings: trust it in ~/.codex/config.toml.',
      },
      next: 'start a new session in Codex; /mcp shows "repertoire".',
    },
  },
  {
    id: 'cursor',
    title: 'Cursor',
    clientNames: ['cursor-vscode'],
    folders: ofBoth('.agents', '.cursor', '.claude', '.codex'),
    config: { files: ['~/.cursor/mcp.json'], projectFiles: ['./.cursor/mcp.json'], shape: 'plain' },
  },
  {
    id: 'vscode',
    title: 'VS Code',
    // The product's long name; over HTTP it has been seen with hyphens.
    clientNames: ['visual studio code', 'visual-studio-code', 'visual studio code - insiders'],
    folders: [...ofProject('.github', '.claude', '.agents'), ...ofUser('.copilot', '.claude', '.agents')],
    config: {
      files: ['%APPDATA%/Code/User/mcp.json'],
      projectFiles: ['./.vscode/mcp.json'],
      key: 'servers',
      next: 'run "MCP: List Servers" in VS Code and start "repertoire".',
    },
  },
  {
    id: 'github-copilot-cli',
    title: 'GitHub Copilot CLI',
    clientNames: ['copilot-cli', 'github-copilot-developer'],
    seen: '1.0.102',
    folders: [...ofProject('.github', '.claude', '.agents'), ...ofUser('.copilot', '.agents')],
    moved: [{ variable: 'COPILOT_HOME', from: '~/.copilot', replacesOthers: true }],
    config: {
      files: ['~/.copilot/mcp-config.json'],
      projectFiles: ['./.mcp.json', './.github/mcp.json'],
      shape: 'copilot',
      asks: {
        scopes: ['project'],
        open: 'Copilot CLI ignores the servers of a folder that it does not trust: start it in this folder and trust it.',
        refused: 'Copilot CLI does not trust this folder: start it there and trust it.',
      },
      next: 'restart Copilot CLI; /mcp show lists "repertoire".',
    },
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    clientNames: ['gemini-cli-mcp-client'],
    seen: '0.61.0',
    folders: ofBoth('.agents', '.gemini'),
    moved: [{ variable: 'GEMINI_CLI_HOME', from: '~' }],
    config: {
      files: ['~/.gemini/settings.json'],
      fillsBareNames: true,
      projectFiles: ['./.gemini/settings.json'],
      asks: {
        scopes: ['user', 'project'],
        open: 'Gemini CLI starts no server in a folder that it does not trust: start it in the folder that you work in and trust it.',
        refused:
          'Gemini CLI was told not to trust this folder, and starts no server there: type /permissions in Gemini CLI.',
      },
      next: 'restart Gemini CLI; /mcp shows "repertoire".',
    },
  },
  {
    id: 'opencode',
    title: 'OpenCode',
    clientNames: ['opencode'],
    seen: '1.18.33',
    folders: [
      ...ofProject('.opencode', '.claude', '.agents'),
      ...ofUser('.config/opencode', '.opencode', '.claude', '.agents'),
      '$OPENCODE_CONFIG_DIR/skills',
    ],
    moved: [{ variable: 'XDG_CONFIG_HOME', from: '~/.config' }],
    config: {
      files: jsoncOrJson('~/.config/opencode/opencode'),
      projectFiles: [...jsoncOrJson('./opencode'), ...jsoncOrJson('./.opencode/opencode')],
      key: 'mcp',
      shape: 'opencode',
      next: 'restart OpenCode; `opencode mcp list` shows "repertoire".',
    },
  },
  {
    id: 'goose',
    title: 'Goose',
    clientNames: ['goose', 'goose-cli', 'goose-desktop'],
    folders: [
      ...ofProject('.goose', '.claude', '.agents'),
      ...ofUser('.agents', '.config/goose', '.claude', '.config/agents'),
    ],
    moved: [
      { variable: 'GOOSE_PATH_ROOT', from: '~/.config/goose', suffix: 'config' },
      // Not the folder beside it: goose looks for that one in the home directory, whatever the variable says.
      { variable: 'XDG_CONFIG_HOME', from: '~/.config/goose', suffix: 'goose' },
    ],
    config: {
      files: ['~/.config/goose/config.yaml'],
      filesOn: { win32: ['%APPDATA%/Block/goose/config/config.yaml'] },
      format: 'yaml',
      key: 'extensions',
      shape: 'goose',
    },
  },
  {
    id: 'windsurf',
    title: 'Windsurf',
    clientNames: ['windsurf-client', 'windsurf'],
    folders: [...ofProject('.windsurf', '.agents'), ...ofUser('.codeium/windsurf', '.agents')],
    config: { files: ['~/.codeium/windsurf/mcp_config.json'], shape: 'antigravity' },
  },
  {
    id: 'cline',
    title: 'Cline (VS Code)',
    clientNames: ['cline', '@cline/core'],
    folders: [...ofProject('.clinerules', '.cline', '.claude', '.agents'), ...ofUser('.cline', '.agents')],
    moved: [{ variable: 'CLINE_DIR', from: '~/.cline' }],
    config: {
      files: ['%APPDATA%/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json'],
      installedWhen: ['%APPDATA%/Code/User/globalStorage/saoudrizwan.claude-dev'],
      shape: 'cline',
    },
  },
  {
    id: 'cline-cli',
    title: 'Cline CLI',
    moved: [{ variable: 'CLINE_DIR', from: '~/.cline' }],
    config: { files: ['~/.cline/data/settings/cline_mcp_settings.json'], installedWhen: ['~/.cline'], shape: 'cline' },
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
    config: {
      files: jsoncOrJson('~/.config/kilo/kilo'),
      projectFiles: ['./.kilo/kilo', './.kilocode/kilo', './kilo'].flatMap(jsoncOrJson),
      createsLast: true,
      installedWhen: ['~/.config/kilo', '%APPDATA%/Code/User/globalStorage/kilocode.kilo-code'],
      key: 'mcp',
      shape: 'opencode',
    },
  },
  { id: 'roo-code', title: 'Roo Code', clientNames: ['roo code', 'roo-code'], folders: ofBoth('.roo', '.agents') },
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
    config: { files: ['~/.gemini/config/mcp_config.json'], shape: 'antigravity' },
  },
  { id: 'augment', title: 'Augment (Auggie)', folders: ofBoth('.augment', '.claude', '.agents') },
  {
    id: 'continue',
    title: 'Continue',
    clientNames: ['continue-cli-client', 'continue-client'],
    seen: '1.5.47',
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
      { variable: 'CRUSH_SKILLS_DIR', from: '~/.config/crush/skills', replacesOthers: true },
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
    folders: [...ofProject('.grok'), ...ofUser('.grok', '.claude')],
    moved: [{ variable: 'GROK_HOME', from: '~/.grok' }],
    config: {
      files: ['~/.grok/config.toml'],
      projectFiles: ['./.grok/config.toml'],
      format: 'toml',
      key: 'mcp_servers',
      shape: 'plain',
    },
  },
  { id: 'junie', title: 'Junie', folders: ofBoth('.junie') },
  {
    id: 'kimi-code',
    title: 'Kimi Code',
    clientNames: ['kimi-code'],
    seen: '2.1.0',
    folders: ofBoth('.kimi-code', '.agents'),
    moved: [{ variable: 'KIMI_CODE_HOME', from: '~/.kimi-code' }],
    config: { files: ['~/.kimi-code/mcp.json'], projectFiles: ['./.kimi-code/mcp.json'], shape: 'kimi' },
  },
  {
    id: 'kiro-cli',
    title: 'Kiro CLI',
    folders: ofBoth('.kiro'),
    config: {
      files: ['~/.kiro/settings/mcp.json'],
      projectFiles: ['./.kiro/settings/mcp.json'],
      installedWhen: ['~/.kiro'],
      shape: 'plain',
    },
  },
  {
    id: 'mistral-vibe',
    title: 'Mistral Vibe',
    folders: [...ofProject('.agents', '.vibe'), ...ofUser('.vibe', '.agents')],
    moved: [{ variable: 'VIBE_HOME', from: '~/.vibe' }],
  },
  { id: 'openhands', title: 'OpenHands', folders: ofBoth('.agents', '.openhands') },
  {
    id: 'pi',
    title: 'Pi',
    // As the extension pi-mcp-adapter introduces itself.
    clientNames: ['pi-mcp-*'],
    seen: '0.74.2 with pi-mcp-adapter 2.36.0',
    folders: [...ofProject('.pi', '.agents'), ...ofUser('.pi/agent', '.agents')],
    moved: [{ variable: 'PI_CODING_AGENT_DIR', from: '~/.pi/agent' }],
    config: {
      files: ['~/.pi/agent/mcp.json'],
      projectFiles: ['./.pi/mcp.json'],
      shape: 'plain',
      needs:
        'Pi has no MCP of its own. An extension reads this file: `pi install npm:pi-mcp-adapter`, then restart Pi.',
      next: 'type /reload in Pi; /mcp shows "repertoire".',
    },
  },
  {
    id: 'qwen-code',
    title: 'Qwen Code',
    clientNames: ['qwen-cli-mcp-client-*', 'qwen-code-mcp-client'],
    seen: '0.15.10',
    folders: ofBoth('.qwen', '.agents'),
    moved: [{ variable: 'QWEN_HOME', from: '~/.qwen' }],
  },
  { id: 'trae', title: 'Trae', folders: ofBoth('.trae') },
  {
    id: 'warp',
    title: 'Warp',
    folders: ofBoth(...'.agents .warp .claude .codex .cursor .gemini .copilot .factory .github .opencode'.split(' ')),
  },
  {
    id: 'zed',
    title: 'Zed',
    clientNames: ['zed'],
    folders: ofBoth('.agents'),
    config: {
      files: ['%APPDATA%/zed/settings.json'],
      filesOn: { darwin: ['~/.config/zed/settings.json'], win32: ['%APPDATA%/Zed/settings.json'] },
      projectFiles: ['./.zed/settings.json'],
      key: 'context_servers',
      shape: 'zed',
    },
  },
  {
    id: 'fx',
    title: 'fx',
    config: { files: ['~/.fx/mcp.json'], key: 'mcp', shape: 'fx', tokenByVariable: true, isPrivate: true },
  },
  {
    id: 'mastracode',
    title: 'Mastra Code',
    config: { files: ['~/.mastracode/mcp.json'], projectFiles: ['./.mastracode/mcp.json'], shape: 'plain' },
  },
  {
    id: 'mcporter',
    title: 'MCPorter',
    config: {
      files: ['~/.mcporter/mcporter.json', '~/.mcporter/mcporter.jsonc'],
      projectFiles: ['./config/mcporter.json'],
    },
  },
];
