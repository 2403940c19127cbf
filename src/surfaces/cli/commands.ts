// The commands. To add one: a file beside this one that exports `run`, and an entry here; or an operation with a face for it.
// Each is loaded when it is called, so that `repertoire mcp` loads only what it serves with.
import type { Command } from './command.ts';
import { run as runMcp } from './mcp.ts';
import { catalogOptions, httpOptions, servingOptions, storeOptions, typedOptions } from './options.ts';
import type { ParsedArguments } from './parse-arguments.ts';

/** What runs when no command is named. It has no name of its own. */
export const statusCommand: Command = {
  summary: 'Show which skills were found, what is broken and what to do next.',
  operands: [],
  options: [...catalogOptions, 'json'],
  example: '--root ./skills',
  load: () => import('./status.ts'),
};

const table: Readonly<Record<string, Command>> = {
  mcp: {
    summary: 'Serve the skills to an MCP host over standard input and output.',
    operands: [],
    options: [...catalogOptions, ...servingOptions, ...typedOptions],
    example: 'mcp --root ./skills',
    // Hosts wait for it: it lies in the part that every start loads, and needs no loader of modules.
    load: async () => ({ run: runMcp }),
  },
  serve: {
    summary: 'Serve the skills over HTTP, to one person or a team: MCP for agents, a dashboard, a JSON API, metrics.',
    operands: [],
    options: [
      ...catalogOptions,
      ...servingOptions,
      ...httpOptions,
      'config',
      'builtin',
      ...storeOptions,
      'log',
      'no-log',
      'keep',
      'json',
    ],
    example: 'serve --root ./skills',
    load: () => import('./serve.ts'),
  },
  list: {
    summary: 'List every skill that is served.',
    operands: [],
    options: [...catalogOptions, 'config', 'builtin', 'json'],
    example: 'list --json',
    load: () => import('./list.ts'),
  },
  show: {
    summary: 'Print one skill, by its name or its skill:// URI.',
    operands: ['NAME'],
    options: [...catalogOptions, 'config', 'builtin', 'json'],
    example: 'show pdf-forms',
    load: () => import('./show.ts'),
  },
  search: {
    summary: 'Find skills that match a few words or a whole request.',
    operands: ['WORDS...'],
    options: [...catalogOptions, 'config', 'builtin', 'limit', 'json'],
    example: 'search fill in a pdf form',
    load: () => import('./search.ts'),
  },
  new: {
    summary:
      'Create a skill from a template that passes the checks; with --typed, a typed skill. Nothing is overwritten.',
    operands: ['NAME'],
    options: ['scope', 'typed', 'config', 'root', 'project', 'json'],
    example: 'new release-notes',
    load: () => import('./new.ts'),
  },
  check: {
    summary: 'Check skills against the rules; exit 1 when something is wrong. PATH: a SKILL.md or a folder.',
    operands: ['[PATH]'],
    options: [...catalogOptions, 'config', 'json', 'format'],
    example: 'check ./skills --format github',
    load: () => import('./check.ts'),
  },
  doctor: {
    summary: 'Show every folder that was searched, what is wrong and how to fix it.',
    operands: [],
    options: [...catalogOptions, 'config', ...storeOptions, 'json'],
    example: 'doctor',
    load: () => import('./doctor.ts'),
  },
  invoke: {
    summary: 'Run one typed skill, built-in or from a --config file, and print its output. Without NAME, list them.',
    operands: ['[NAME]'],
    options: [
      ...catalogOptions,
      'config',
      'builtin',
      'input',
      'agent',
      'correlation-id',
      ...storeOptions,
      'log',
      'no-log',
      'json',
    ],
    example: `invoke greet --config repertoire.config.ts --input '{"name": "Ada"}'`,
    load: () => import('./invoke.ts'),
  },
  log: {
    summary:
      'Show which typed skills ran and how they ended; with ID, one run in full; with --loads, which document skills were read.',
    operands: ['[ID]'],
    options: [
      ...storeOptions,
      'loads',
      'skill',
      'status',
      'failure-code',
      'client',
      'correlation-id',
      'since',
      'limit',
      'cursor',
      'follow',
      'json',
    ],
    example: 'log --status failed --since 12h',
    load: () => import('./log.ts'),
  },
  stats: {
    summary: 'Show how often each skill was used, how often it succeeded and how long it took.',
    operands: [],
    options: [...storeOptions, 'window', 'skill', 'by', 'config', 'builtin', 'json'],
    example: 'stats --window 7d --by agent',
    load: () => import('./stats.ts'),
  },
  agent: {
    summary:
      'Manage the agents that may call the server: add NAME creates a token and shows it once, list shows all, revoke NAME revokes one.',
    operands: ['add|list|revoke', '[NAME]'],
    options: ['role', 'scope', 'expires', 'config', 'builtin', ...storeOptions, 'json'],
    example: 'agent add TaskAgent --expires 90d',
    load: () => import('./agent.ts'),
  },
  token: {
    summary: "Print the operator's token for the server. Creates one if there is none.",
    operands: [],
    options: ['data', 'rotate', 'json'],
    example: 'token',
    load: () => import('./token.ts'),
  },
  migrate: {
    summary: 'Update the tables of the log; with --print, show the SQL instead.',
    operands: [],
    options: [...storeOptions, 'print', 'json'],
    example: 'migrate --print',
    load: () => import('./migrate.ts'),
  },
  connect: {
    summary:
      'Add this server to the configuration of an agent host, check that it works there, or remove it. HOST: claude-code, cursor, codex, …',
    operands: ['[HOST]'],
    options: [
      'check',
      'scope',
      'http',
      'token',
      'print',
      'remove',
      'json',
      ...catalogOptions,
      ...servingOptions,
      ...typedOptions,
    ],
    example: 'connect claude-code',
    load: () => import('./connect.ts'),
  },
};

export type Commands = ReadonlyMap<string, Command>;

export const commands: Commands = new Map(Object.entries(table));

/** With those of operations, where the table does not have what is asked for; help asks for all. */
export async function commandsFor({ command, flags }: Pick<ParsedArguments, 'command' | 'flags'>): Promise<Commands> {
  const isHelp = command === 'help' || flags.has('help');
  if (!isHelp && (command === undefined || commands.has(command))) return commands;
  const { operationCommands } = await import('./operation-commands.ts');
  return new Map([...commands, ...operationCommands]);
}
