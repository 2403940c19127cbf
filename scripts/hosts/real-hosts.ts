// The hosts that can be run without an account: their packages, how each is told of the scripted model, and asked.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Transport } from './host-world.ts';
import type { Finder } from './tool-steps.ts';

/** What a host's settings and commands may need to know. */
export interface Place {
  readonly modelUrl: string;
  /** Where its packages are. */
  readonly folder: string;
  readonly home: string;
  /** Where it is started. */
  readonly project: string;
}

type Words = readonly string[];

interface HostFacts {
  /** As `connect` knows it. */
  readonly id: string;
  readonly title: string;
  /** Its own first. Those that need a newer Node bring one. */
  readonly packages: readonly string[];
  readonly transports: readonly Transport[];
  readonly environment?: (place: Place) => Readonly<Record<string, string>>;
  /** Its settings before it is connected: paths in the home directory, and texts. */
  readonly settings?: (place: Place) => readonly (readonly [path: string, text: string])[];
  /** What has to run before it is connected. */
  readonly prepare?: (place: Place) => readonly Words[];
}

/** It has a model, and is asked for something. */
export interface AskedHost extends HostFacts {
  readonly command: (request: string, place: Place) => Words;
  /** Where it holds tools back until its model looks for them. */
  readonly finder?: Finder;
}

/** It has none: its program lists tools and calls them. */
interface CalledHost extends HostFacts {
  readonly list: Words;
  readonly call: (tool: string, input: object) => Words;
}

export type RealHost = AskedHost | CalledHost;

const BOTH: readonly Transport[] = ['stdio', 'http'];
const KEY = 'scripted';
const v1 = ({ modelUrl }: Place): string => `${modelUrl}/v1`;
const json = (value: object): string => JSON.stringify(value, null, 2);

export const REAL_HOSTS: readonly RealHost[] = [
  {
    id: 'claude-code',
    title: 'Claude Code',
    packages: ['@anthropic-ai/claude-code@2.1.327', 'node@22'],
    transports: BOTH,
    command: (request) => ['claude', '-p', request, '--allowedTools', 'mcp__repertoire'],
    environment: ({ modelUrl }) => ({
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    finder: { tool: 'ToolSearch', input: { query: '+repertoire skills', max_results: 10 } },
  },
  {
    id: 'codex',
    title: 'Codex',
    packages: ['@openai/codex@0.169.0'],
    transports: BOTH,
    command: (request) => [
      ...['codex', 'exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
      request,
    ],
    settings: (place) => [
      [
        '.codex/config.toml',
        [
          'model = "scripted"',
          'model_provider = "scripted"',
          '[model_providers.scripted]',
          'name = "Scripted"',
          `base_url = "${v1(place)}"`,
          'wire_api = "responses"',
          '',
        ].join('\n'),
      ],
    ],
  },
  {
    id: 'opencode',
    title: 'OpenCode',
    packages: ['opencode-ai@1.18.33'],
    transports: BOTH,
    command: (request) => ['opencode', 'run', request],
    settings: (place) => [['.config/opencode/opencode.json', json(openCodeSettings(place))]],
  },
  {
    id: 'kilo-code',
    title: 'Kilo Code',
    packages: ['@kilocode/cli@7.7.7'],
    transports: BOTH,
    command: (request) => ['kilo', 'run', '--auto', request],
    settings: (place) => [['.config/kilo/kilo.json', json(openCodeSettings(place))]],
  },
  {
    id: 'github-copilot-cli',
    title: 'GitHub Copilot CLI',
    packages: ['@github/copilot@1.0.102'],
    transports: BOTH,
    command: (request) => ['copilot', '-p', request, '--allow-all-tools'],
    environment: (place) => ({
      COPILOT_PROVIDER_BASE_URL: v1(place),
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: 'gpt-4.1',
      COPILOT_OFFLINE: 'true',
    }),
  },
  {
    id: 'gemini-cli',
    title: 'Gemini CLI',
    packages: ['@google/gemini-cli@0.61.0'],
    transports: BOTH,
    command: (request) => ['gemini', '--yolo', '-m', 'gemini-2.5-flash', '-p', request],
    environment: ({ modelUrl }) => ({ GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_API_KEY: KEY }),
    settings: ({ project }) => [
      [
        '.gemini/settings.json',
        json({ security: { auth: { selectedType: 'gemini-api-key' } }, privacy: { usageStatisticsEnabled: false } }),
      ],
      // As if a person had answered its question.
      ['.gemini/trustedFolders.json', json({ [project]: 'TRUST_FOLDER' })],
    ],
  },
  {
    id: 'cline-cli',
    title: 'Cline CLI',
    packages: ['cline@3.0.65', 'node@22'],
    transports: BOTH,
    command: (request) => ['cline', request],
    prepare: (place) => [['cline', 'auth', '-p', 'openai', '-k', KEY, '-m', 'scripted', '-b', v1(place)]],
  },
  {
    id: 'kimi-code',
    title: 'Kimi Code',
    packages: ['@moonshot-ai/kimi-code@2.1.0', 'node@22'],
    transports: BOTH,
    command: (request) => ['kimi', '-p', request],
    settings: (place) => [
      [
        '.kimi-code/config.toml',
        [
          'default_model = "scripted"',
          '[providers.scripted]',
          'type = "openai"',
          `base_url = "${v1(place)}"`,
          `api_key = "${KEY}"`,
          '[models.scripted]',
          'provider = "scripted"',
          'model = "scripted"',
          'max_context_size = 200000',
          '',
        ].join('\n'),
      ],
    ],
  },
  {
    id: 'pi',
    title: 'Pi',
    packages: ['@earendil-works/pi-coding-agent@0.74.2', 'pi-mcp-adapter@2.36.0', 'node@22'],
    transports: BOTH,
    command: (request) => ['pi', '--offline', '--model', 'scripted/one', '-p', request],
    settings: ({ modelUrl, folder }) => [
      ['.pi/agent/settings.json', json({ packages: [join(folder, 'node_modules/pi-mcp-adapter')] })],
      [
        '.pi/agent/models.json',
        json({
          providers: {
            scripted: {
              baseUrl: `${modelUrl}/v1`,
              apiKey: KEY,
              api: 'openai-completions',
              models: [{ id: 'one', name: 'One', contextWindow: 200_000, maxTokens: 8_000 }],
            },
          },
        }),
      ],
      ['.pi/agent/mcp.json', json({ settings: { directTools: true } })],
    ],
  },
  {
    id: 'mastracode',
    title: 'Mastra Code',
    packages: ['mastracode@0.32.1', 'node@22'],
    transports: BOTH,
    // Not --model: that looks in its catalog, which has models of such a provider by another name.
    command: (request) => ['mastracode', '--prompt', request],
    settings: (place) => [
      [
        '.local/share/mastracode/settings.json',
        json({
          models: { modeDefaults: { build: 'scripted/one', plan: 'scripted/one', fast: 'scripted/one' } },
          customProviders: [{ name: 'scripted', url: v1(place), apiKey: KEY, models: ['one'] }],
        }),
      ],
    ],
  },
  {
    id: 'mcporter',
    title: 'MCPorter',
    packages: ['mcporter@0.12.3', 'node@24'],
    transports: BOTH,
    list: ['mcporter', 'list', 'repertoire', '--json'],
    call: (tool, input) => ['mcporter', 'call', `repertoire.${tool}`, '--args', JSON.stringify(input)],
  },
];

/** Hosts that `connect` knows and that no walk can run, with the reason. */
export const NOT_RUN: readonly { readonly title: string; readonly reason: string }[] = [
  {
    title: 'Claude Desktop, Cursor, VS Code, Windsurf, Cline (VS Code), Antigravity, Zed',
    reason: 'desktop programs, not on npm',
  },
  { title: 'Goose, fx', reason: 'no package was found on npm' },
  { title: 'Kiro CLI, Grok Build', reason: 'not looked for on npm yet' },
  { title: 'Crush', reason: 'its package downloads the program from GitHub when it is installed' },
];

const openCodeSettings = (place: Place): object => ({
  model: 'scripted/one',
  small_model: 'scripted/one',
  provider: {
    scripted: {
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: v1(place), apiKey: KEY },
      models: { one: {} },
    },
  },
});

export function writeSettings({ settings }: RealHost, place: Place): void {
  for (const [path, text] of settings?.(place) ?? []) {
    mkdirSync(dirname(join(place.home, path)), { recursive: true });
    writeFileSync(join(place.home, path), text, { mode: 0o600 });
  }
}
