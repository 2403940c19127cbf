// The commands. To add one: a file beside this one that exports `run`, and an entry here; or an operation with a face for it.
// Each is loaded when it is called, so that `repertoire mcp` loads only what it serves with.
import type { Command } from './command.ts';
import { run as runMcp } from './mcp.ts';
import { catalogOptions, httpOptions, servingOptions, sourceOptions, storeOptions, typedOptions } from './options.ts';
import type { ParsedArguments } from './parse-arguments.ts';

/** What runs when no command is named. It has no name of its own. */
export const statusCommand: Command = {
  summary: 'Show which skills were found, what is broken and what to do next.',
  operands: [],
  options: [...catalogOptions, 'data', 'json'],
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
    options: [...catalogOptions, 'config', 'builtin', 'data', 'json'],
    example: 'list --json',
    load: () => import('./list.ts'),
  },
  show: {
    summary: 'Print one skill, by its name or its skill:// URI.',
    operands: ['NAME'],
    options: [...catalogOptions, 'config', 'builtin', 'data', 'json'],
    example: 'show pdf-forms',
    load: () => import('./show.ts'),
  },
  search: {
    summary: 'Find skills that match a few words or a whole request.',
    operands: ['WORDS...'],
    options: [...catalogOptions, 'config', 'builtin', 'data', 'limit', 'json'],
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
    options: [...catalogOptions, 'config', 'data', 'json', 'format'],
    example: 'check ./skills --format github',
    load: () => import('./check.ts'),
  },
  add: {
    summary:
      'Add the skills of a source, pinned: a git repository, or a server with an index of skills. Shows them, asks, and writes the lock.',
    operands: ['SOURCE'],
    options: ['ref', 'path', 'yes', ...sourceOptions, 'root', 'default-roots', 'agents', 'json'],
    example: 'add github:OWNER/REPO --path skills',
    load: () => import('./add.ts'),
  },
  remove: {
    summary: 'Remove a source from the lock. Its content stays until "sources prune".',
    operands: ['SOURCE'],
    options: [...sourceOptions, 'json'],
    example: 'remove github:OWNER/REPO',
    load: () => import('./remove.ts'),
  },
  update: {
    summary: 'Show what is new in the sources, ask, and pin it. Without SOURCE: all of them.',
    operands: ['[SOURCE]'],
    options: ['yes', ...sourceOptions, 'root', 'default-roots', 'agents', 'json'],
    example: 'update',
    load: () => import('./update.ts'),
  },
  sources: {
    summary:
      'Show the sources, their skills and whether their content matches the lock; with --outdated, ask what is newer; with prune, remove content that no lock names.',
    operands: ['[prune]'],
    options: ['outdated', ...sourceOptions, 'json'],
    example: 'sources --json',
    load: () => import('./sources.ts'),
  },
  sync: {
    summary: 'Make the content of the sources match the lock; with --check, change nothing and show what differs.',
    operands: [],
    options: ['check', ...sourceOptions, 'json'],
    example: 'sync --check',
    load: () => import('./sync.ts'),
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
      'async',
      'wait',
      'idempotency-key',
      'correlation-id',
      ...storeOptions,
      'log',
      'no-log',
      'json',
    ],
    example: `invoke greet --config repertoire.config.ts --input '{"name": "Ada"}'`,
    load: () => import('./invoke.ts'),
  },
  runs: {
    summary:
      'Manage runs of durable skills: list (the default) shows them, show ID shows one, cancel ID stops it, approve ID and reject ID decide on one that waits for approval.',
    operands: ['[ACTION]', '[ID]'],
    options: ['state', 'skill', 'message', ...storeOptions, 'limit', 'cursor', 'json'],
    example: 'runs --state waiting',
    load: () => import('./runs.ts'),
  },
  schedules: {
    summary: 'Show the schedules of a --config file, with their next and last runs.',
    operands: [],
    options: ['config', 'builtin', ...storeOptions, 'json'],
    example: 'schedules --config repertoire.config.ts',
    load: () => import('./schedules.ts'),
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
  upkeep: {
    summary:
      'Show which skills need a look, and what to do: never found, never used, nearly the same, too long or shown twice.',
    operands: [],
    options: [...catalogOptions, 'show-native', 'config', ...storeOptions, 'window', 'json'],
    example: 'upkeep --window 90d',
    load: () => import('./upkeep.ts'),
  },
  agent: {
    summary:
      'Manage the agents that may call the server: add NAME creates a token and shows it once, list shows all, revoke NAME revokes one.',
    operands: ['add|list|revoke', '[NAME]'],
    options: ['role', 'scope', 'expires', 'config', 'builtin', ...storeOptions, 'json'],
    example: 'agent add TaskAgent --expires 90d',
    load: () => import('./agent.ts'),
  },
  user: {
    summary:
      'Manage people and what they may do: list shows all, add EMAIL adds one and asks for the password, grant EMAIL gives roles and scopes, ungrant EMAIL takes them away; without options, all of them.',
    operands: ['list|add|grant|ungrant', '[EMAIL]'],
    options: ['role', 'scope', 'config', 'builtin', ...storeOptions, 'json'],
    example: 'user grant ada@example.com --role TaskAgent --scope log:read',
    load: () => import('./user.ts'),
  },
  token: {
    summary: "Print the operator's token for the server. Creates one if there is none.",
    operands: [],
    options: [...storeOptions, 'rotate', 'json'],
    example: 'token',
    load: () => import('./token.ts'),
  },
  trail: {
    summary:
      'Show who changed what: agents, people, the token, the skills of the library. With --verify, check that nothing was tampered with.',
    operands: [],
    options: [...storeOptions, 'verify', 'head', 'limit', 'cursor', 'json'],
    example: 'trail --verify',
    load: () => import('./trail.ts'),
  },
  publish: {
    summary:
      'Put skill folders into the library, each as a new version. Every server on this store serves it. With review on, another person has to approve it first.',
    operands: ['DIR...'],
    options: ['message', ...storeOptions, 'json'],
    example: "publish ./skills/refunds --message 'Say who decides'",
    load: () => import('./publish.ts'),
  },
  export: {
    summary:
      'Write a skill of the library to DIR/NAME: the version that is served, or NAME@DIGEST. Nothing is overwritten.',
    operands: ['NAME', 'DIR'],
    options: [...storeOptions, 'json'],
    example: 'export refunds ./skills',
    load: () => import('./export.ts'),
  },
  review: {
    summary:
      'List the versions that wait for review; show NAME@DIGEST shows what one changes, approve and reject decide on it, policy off|on sets whether someone other than the author must approve. versions NAME lists all of a skill, rollback NAME@DIGEST serves an earlier one, withdraw NAME serves none, delete NAME takes it out, and delete NAME@DIGEST one version that was never served.',
    operands: ['[ACTION]', '[NAME@DIGEST]'],
    options: ['message', 'yes', ...storeOptions, 'json'],
    example: "review approve refunds@1f0c2ab --message 'Read it twice'",
    load: () => import('./review.ts'),
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
      'Connect an agent host to this server: add it to the settings of the host, check that it works there, or remove it. HOST: claude-code, cursor, codex, …',
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
