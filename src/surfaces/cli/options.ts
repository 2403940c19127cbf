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
}

const table = {
  root: { value: 'DIR', repeatable: true, text: 'Look for skills in DIR instead of the default folders. Repeatable.' },
  'default-roots': { text: 'With --root: look in the default folders too, after the given ones.' },
  project: { value: 'DIR', text: 'The project whose skill folders are searched. Default: the working directory.' },
  without: { value: 'NAME', repeatable: true, text: 'Leave this skill out everywhere. Repeatable.' },
  'allow-links': { value: 'DIR', repeatable: true, text: 'Links may also lead into DIR. Repeatable.' },
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
    text: 'At most N: search 1 to 50, default 5; log 1 to 1000, default 20.',
  },
  rescan: { value: 'SECONDS', range: [1, 86_400], text: 'Rescan all folders this often. Default: 30.' },
  scope: {
    value: 'SCOPE',
    choicesOf: { connect: ['user', 'project'], agent: ['log:read'] },
    text: 'connect: which of the configuration files, user or project. agent add: log:read, to read the log.',
  },
  http: { value: 'URL', text: 'Connect to a running server at URL instead of starting one.' },
  token: { value: 'TOKEN', text: 'With --http: the token that the host sends. Default: REPERTOIRE_TOKEN.' },
  print: { text: 'Show what would be done, without doing it.' },
  remove: { text: 'Remove the entry.' },
  config: { value: 'FILE', text: 'A file with your typed skills and settings; it is executed.' },
  data: {
    value: 'DIR',
    text: 'Where your token is kept, and log and agents unless there is a PostgreSQL. Default: ~/.repertoire',
  },
  'database-url': {
    value: 'URL',
    text: 'Keep log and agents in this PostgreSQL, whatever --data says. Default: DATABASE_URL',
  },
  agent: { value: 'NAME', text: 'The agent that invokes typed skills. Default: you, who may invoke all of them.' },
  log: {
    value: 'POLICY',
    choices: ['required', 'best-effort'],
    text: 'When the log cannot be written: required refuses to run, best-effort (default) runs anyway.',
  },
  'no-log': { text: 'Record nothing.' },
  'no-remember': { text: 'Keep nothing of the skills for the next start: it reads all of them again.' },
  keep: { value: 'TIME', duration: true, text: 'Delete log entries older than this: 90m, 12h, 30d. Default: 30d.' },
  builtin: {
    value: 'NAMES',
    text: 'The built-in typed skills: all, none, or names such as task_creation,task_update. Default: all with serve, invoke, agent and stats, else none.',
  },
  port: { value: 'PORT', range: [0, 65_535], text: 'Listen on this port; 0: any that is free. Default: 7337' },
  host: { value: 'ADDRESS', text: 'Listen on this address. Default: 127.0.0.1, this machine only.' },
  'allow-host': {
    value: 'NAME',
    repeatable: true,
    text: 'A name under which the server is reached, for example behind a load balancer. Repeatable.',
  },
  'trust-proxy': {
    value: 'CIDR',
    repeatable: true,
    text: 'Believe the X-Forwarded-For of proxies at these addresses, for limits and the log: 10.0.0.0/8, fd00::/8, loopback. Repeatable.',
  },
  'no-auth': { text: 'Require no token or sign-in. On this machine only.' },
  role: {
    value: 'ROLE',
    repeatable: true,
    text: 'What the agent may act as: a name that skills are assigned to, or * for every typed skill. Default: its own name. Repeatable.',
  },
  expires: { value: 'TIME', duration: true, text: 'The token expires after this time: 12h, 90d. Default: never.' },
  rotate: { text: 'Make a new token; a running server keeps the old one until it is started again.' },
  input: { value: 'JSON', text: 'The input: JSON, @FILE, or - for standard input.' },
  'correlation-id': { value: 'ID', text: 'The id that connects calls; for log its first 8 digits do.' },
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
  since: { value: 'TIME', duration: true, text: 'Only the last 90m, 12h, 7d.' },
  cursor: { value: 'CURSOR', text: 'Continue a list: the next_cursor that it ended with.' },
  loads: { text: 'The document skills that were read, instead of the invocations.' },
  follow: { text: 'Keep running and show new entries.' },
  window: { value: 'TIME', duration: true, text: 'The period to report on: 30m, 1h, 7d. Default: 1h.' },
  by: { value: 'KEY', choices: ['agent', 'category'], text: 'Figures of each agent, or of each category of skills.' },
  format: { value: 'FORMAT', choices: ['text', 'json', 'github'], text: 'text, json, or github (annotations in CI).' },
  json: { text: 'Print JSON.' },
  help: { short: 'h', text: 'Show help, with an example.' },
  version: { short: 'v', text: 'Print the version.' },
} as const satisfies Record<string, OptionSpec>;

export type OptionName = keyof typeof table;

export const optionNames = Object.keys(table) as readonly OptionName[]; // true: the table's own keys, nothing else

export const optionSpec = (name: OptionName): OptionSpec => table[name];

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
