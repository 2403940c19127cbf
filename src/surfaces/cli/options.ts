// Every option of the command line. The parser, the help and the suggestions all read this one table.

export interface OptionSpec {
  /** What the value stands for in the help; absent: the option is a switch. */
  readonly value?: string;
  readonly repeatable?: true;
  readonly choices?: readonly string[];
  /** By command, where each takes others. */
  readonly choicesOf?: Readonly<Record<string, readonly string[]>>;
  /** A whole number between these two. */
  readonly range?: readonly [number, number];
  /** By command, where one takes another range. */
  readonly ranges?: Readonly<Record<string, readonly [number, number]>>;
  /** A whole number and a unit: `90m`, `12h`, `30d`. */
  readonly duration?: true;
  readonly short?: string;
  readonly text: string;
  /** By command, where it means something else there. */
  readonly texts?: Readonly<Record<string, string>>;
}

const table = {
  root: {
    value: 'DIR',
    repeatable: true,
    text: 'Look for skills in DIR instead of the default folders. Repeatable.',
    texts: { new: 'Create the skill in DIR.' },
  },
  'default-roots': { text: 'With --root: look in the default folders too, after the given ones.' },
  project: {
    value: 'DIR',
    text: 'The project whose skill folders are searched. Default: the working directory.',
    texts: { new: 'Create the skill in DIR/.agents/skills.' },
  },
  without: { value: 'NAME', repeatable: true, text: 'Leave this skill out everywhere. Repeatable.' },
  'allow-links': { value: 'DIR', repeatable: true, text: 'Follow symbolic links that lead into DIR. Repeatable.' },
  agents: {
    value: 'NAMES',
    repeatable: true,
    text: 'Look in the folders of these hosts too: all, or names such as cursor,codex.',
  },
  pin: { value: 'NAME', repeatable: true, text: 'Show this skill to hosts before all others. Repeatable.' },
  'show-native': { text: 'Also show a host the skills that it reads from its own folders.' },
  limit: {
    value: 'N',
    range: [1, 50],
    ranges: { log: [1, 1_000] },
    text: 'At most N, from 1 to 50. Default: 5.',
    texts: { log: 'At most N, from 1 to 1000. Default: 20.' },
  },
  rescan: { value: 'SECONDS', range: [1, 86_400], text: 'Rescan all folders this often. Default: 30.' },
  scope: {
    value: 'SCOPE',
    choicesOf: { connect: ['user', 'project'], new: ['user', 'project'], agent: ['log:read'] },
    text: 'Which configuration file of the host: user (default) or project.',
    texts: {
      agent: 'With add: what else the agent may do; log:read lets it read the log.',
      new: 'Where to create the skill: user (default) for ~/.agents/skills, project for ./.agents/skills.',
    },
  },
  http: { value: 'URL', text: 'Connect to a running server at URL instead of starting one.' },
  token: { value: 'TOKEN', text: 'With --http: the token that the host sends. Default: REPERTOIRE_TOKEN.' },
  print: {
    text: 'Show the change without writing it.',
    texts: { migrate: 'Print the SQL without connecting to the store.' },
  },
  remove: { text: 'Remove the entry.' },
  check: { text: 'Check that the entry works by using it as the host would. Without HOST: every connected host.' },
  config: {
    value: 'FILE',
    text: 'A file with your typed skills and settings. The file is executed.',
    texts: {
      new: 'With --typed: the file to write. Default: repertoire.config.mjs in the project.',
      agent: 'With add: the file with your typed skills, to see what the roles allow. The file is executed.',
      stats: 'With --by category: the file with your typed skills, to know their categories. The file is executed.',
    },
  },
  data: {
    value: 'DIR',
    text: 'Where your token, the log and the agents are kept. Default: ~/.repertoire',
    texts: { token: 'Where your token is kept. Default: ~/.repertoire' },
  },
  'database-url': {
    value: 'URL',
    text: 'Keep the log and the agents in this PostgreSQL instead of --data. Default: DATABASE_URL',
  },
  agent: { value: 'NAME', text: 'Invoke typed skills as this agent. Default: you, with access to all of them.' },
  log: {
    value: 'POLICY',
    choices: ['required', 'best-effort'],
    text: 'When the log cannot be written: required refuses to run, best-effort (default) runs anyway.',
  },
  'no-log': { text: 'Record nothing.' },
  'no-remember': { text: 'Do not cache the skills: the next start reads all of them again.' },
  keep: {
    value: 'TIME',
    duration: true,
    text: 'Delete log entries older than this, such as 90m, 12h or 30d. Default: 30d.',
  },
  builtin: {
    value: 'NAMES',
    text: 'The built-in typed skills: all, none, or names separated by commas. Default: none.',
    texts: Object.fromEntries(
      ['serve', 'invoke', 'agent', 'stats'].map((command) => [
        command,
        'The built-in typed skills: all, none, or names separated by commas. Default: all.',
      ]),
    ),
  },
  port: { value: 'PORT', range: [0, 65_535], text: 'Listen on this port; 0 takes any free one. Default: 7337' },
  host: { value: 'ADDRESS', text: 'Listen on this address. Default: 127.0.0.1, this machine only.' },
  'allow-host': {
    value: 'NAME',
    repeatable: true,
    text: 'A host name that clients use for the server, for example that of a load balancer. Repeatable.',
  },
  'trust-proxy': {
    value: 'CIDR',
    repeatable: true,
    text: 'Trust the X-Forwarded-For header of proxies at this address, such as 10.0.0.0/8, fd00::/8 or loopback. Repeatable.',
  },
  'no-auth': { text: 'Require no token or sign-in. On this machine only.' },
  role: {
    value: 'ROLE',
    repeatable: true,
    text: 'With add: what the agent may act as, a name that skills are assigned to, or * for every typed skill. Default: its own name. Repeatable.',
  },
  expires: {
    value: 'TIME',
    duration: true,
    text: 'With add: the token expires after this time, such as 12h or 90d. Default: never.',
  },
  rotate: { text: 'Create a new token. A running server keeps the old one until you restart it.' },
  input: { value: 'JSON', text: 'The input: JSON, @FILE, or - for standard input.' },
  'correlation-id': {
    value: 'ID',
    text: 'Record the run under this id, 8-4-4-4-12 hexadecimal digits. Default: a new one.',
    texts: { log: 'Only runs with this correlation id; its first 8 digits are enough.' },
  },
  skill: { value: 'NAME', text: 'Only this skill.' },
  status: {
    value: 'STATUS',
    choices: ['pending', 'running', 'completed', 'failed', 'timeout'],
    text: 'Only invocations in this state.',
  },
  'failure-code': {
    value: 'CODE',
    choices: [
      'VALIDATION_ERROR',
      'NOT_FOUND',
      'UNAUTHORIZED',
      'RATE_EXCEEDED',
      'TIMEOUT',
      'PERSISTENCE_ERROR',
      'EXTERNAL_SERVICE_ERROR',
      'INTERNAL_ERROR',
    ],
    text: 'Only invocations that failed with this code, such as TIMEOUT.',
  },
  client: { value: 'NAME', text: 'Only what this agent or client did.' },
  since: { value: 'TIME', duration: true, text: 'Only entries of the last 90m, 12h, 7d and so on.' },
  cursor: { value: 'CURSOR', text: 'Continue from the next_cursor of the previous page.' },
  loads: { text: 'Show which document skills were read, instead of invocations.' },
  follow: { text: 'Keep running and show new entries.' },
  window: { value: 'TIME', duration: true, text: 'The period to report on, such as 30m, 1h or 7d. Default: 1h.' },
  by: { value: 'KEY', choices: ['agent', 'category'], text: 'Group the figures by agent, or by category of skill.' },
  format: { value: 'FORMAT', choices: ['text', 'json', 'github'], text: 'text, json, or github (annotations in CI).' },
  typed: { text: 'Create a typed skill, a function with a schema, instead of a document skill.' },
  json: { text: 'Print JSON.' },
  help: { short: 'h', text: 'Show help, with an example.' },
  version: { short: 'v', text: 'Print the version.' },
} as const satisfies Record<string, OptionSpec>;

export type OptionName = keyof typeof table;

export const optionNames = Object.keys(table) as readonly OptionName[]; // true: the table's own keys, nothing else

export const optionSpec = (name: OptionName): OptionSpec => table[name];

/** What the option means to this command. */
export function optionText(name: OptionName, command: string | undefined): string {
  const { text, texts = {} } = optionSpec(name);
  return (command !== undefined && Object.hasOwn(texts, command) ? texts[command] : undefined) ?? text;
}

/** Which skills are looked at: every command that opens the catalog takes these. */
export const catalogOptions: readonly OptionName[] = [
  'root',
  'default-roots',
  'agents',
  'project',
  'without',
  'allow-links',
];

/** Where the log is, and whether there is one. */
export const storeOptions: readonly OptionName[] = ['data', 'database-url'];

/** For commands that run typed skills. */
export const typedOptions: readonly OptionName[] = [
  'config',
  'builtin',
  'agent',
  ...storeOptions,
  'log',
  'no-log',
  'keep',
];

/** For commands that keep running: what a host sees unasked, and how often the folders are rescanned. */
export const servingOptions: readonly OptionName[] = ['pin', 'show-native', 'rescan', 'no-remember'];

/** How `serve` is reached. */
export const httpOptions: readonly OptionName[] = ['port', 'host', 'allow-host', 'trust-proxy', 'no-auth'];

/** Taken everywhere. */
export const commonOptions: readonly OptionName[] = ['help', 'version'];
