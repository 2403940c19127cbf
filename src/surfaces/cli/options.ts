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

/** As in identity/agents.ts, which this table does not load. */
const SCOPES = ['log:read', 'skills:propose', 'skills:approve', 'runs:approve'];

const SCOPE_WORDS =
  'log:read: read the log; skills:propose: propose versions of skills; skills:approve: approve them and read the trail; runs:approve: approve runs that wait.';

/** Commands that know the data directory for the sources in it alone. */
const SOURCE_COMMANDS = ['add', 'remove', 'update', 'sources', 'sync', 'list', 'show', 'search', 'check'] as const;

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
    texts: {
      new: 'Create the skill in DIR/.agents/skills.',
      ...Object.fromEntries(
        ['add', 'remove', 'update', 'sources', 'sync'].map((command) => [
          command,
          'The project whose lock it is. Default: the working directory.',
        ]),
      ),
    },
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
    ranges: { log: [1, 1_000], trail: [1, 1_000], runs: [1, 1_000] },
    text: 'At most N, from 1 to 50. Default: 5.',
    texts: Object.fromEntries(
      ['log', 'trail', 'runs'].map((name) => [name, 'At most N, from 1 to 1000. Default: 20.']),
    ),
  },
  rescan: { value: 'SECONDS', range: [1, 86_400], text: 'Rescan all folders this often. Default: 30.' },
  scope: {
    value: 'SCOPE',
    repeatable: true,
    choicesOf: { connect: ['user', 'project'], new: ['user', 'project'], agent: SCOPES, user: SCOPES },
    text: 'Which configuration file of the host: user (default) or project.',
    texts: {
      agent: `With add: what else the agent may do. ${SCOPE_WORDS} Repeatable.`,
      user: `What else the person may do. ${SCOPE_WORDS} Repeatable.`,
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
  check: {
    text: 'Check that the entry works by using it as the host would. Without HOST: every connected host.',
    texts: { sync: 'Change nothing; exit 1 when content and lock disagree.' },
  },
  outdated: { text: 'Ask each source which commit it has now. Changes nothing; without it nothing is asked.' },
  ref: { value: 'REF', text: 'The branch, tag or commit to take. Default: what the source itself shows.' },
  path: {
    value: 'DIR',
    repeatable: true,
    text: 'Take skills of this folder of the source only; of an index, the skill of this name. Repeatable.',
  },
  global: {
    text: 'Use the lock in the data directory, which counts for every project.',
    texts: {
      add: 'Write the lock in the data directory, which counts for every project, instead of that of the project.',
    },
  },
  yes: { text: 'Do not ask.' },
  message: {
    value: 'TEXT',
    text: 'With approve, reject and rollback: why.',
    texts: { publish: 'What the version changes, and why. Always needed.', runs: 'With approve and reject: why.' },
  },
  sync: { text: 'Fetch what the lock names, at the start and when the lock changes.' },
  'public-index': {
    text: 'Let anyone read the index of skills of --root and of sources, without a token.',
  },
  config: {
    value: 'FILE',
    text: 'A file with your typed skills and settings. The file is executed.',
    texts: {
      new: 'With --typed: the file to write. Default: repertoire.config.mjs in the project.',
      agent: 'With add: the file with your typed skills, to see what the roles allow. The file is executed.',
      user: 'With grant and ungrant: the file with your typed skills, to see what the roles allow. The file is executed.',
      stats: 'With --by category: the file with your typed skills, to know their categories. The file is executed.',
    },
  },
  data: {
    value: 'DIR',
    text: 'Where your token, the log, the agents and the content of sources are kept. Default: ~/.repertoire',
    texts: {
      token: 'Where your token is kept, and with --rotate the trail. Default: ~/.repertoire',
      ...Object.fromEntries(
        SOURCE_COMMANDS.map((command) => [command, 'Where the content of sources is kept. Default: ~/.repertoire']),
      ),
    },
  },
  'database-url': {
    value: 'URL',
    text: 'Keep the log and the agents in this PostgreSQL instead of --data. Default: DATABASE_URL',
    texts: { token: 'With --rotate: the PostgreSQL that has the trail, instead of --data. Default: DATABASE_URL' },
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
      ['serve', 'invoke', 'agent', 'user', 'stats', 'schedules'].map((command) => [
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
  oauth: { text: 'Let hosts sign in by OAuth, with a page where you allow each of them.' },
  'public-url': {
    value: 'URL',
    text: 'The https:// address that clients use. Turns on --oauth.',
  },
  issuer: { value: 'URL', text: 'Accept tokens of this OAuth issuer instead of signing in here. Needs --audience.' },
  audience: { value: 'NAME', text: 'With --issuer: the audience that its tokens must have.' },
  'role-claim': { value: 'NAME', text: 'With --issuer: the claim that has the roles. Default: roles.' },
  'redirect-scheme': {
    value: 'SCHEME',
    repeatable: true,
    text: 'With --oauth: a scheme of desktop programs that clients may return to, such as cursor. Repeatable.',
  },
  'allow-loopback-clients': {
    text: 'With --oauth: fetch descriptions of clients by http from this machine, too. For tests.',
  },
  'no-auth': { text: 'Require no token or sign-in. On this machine only.' },
  role: {
    value: 'ROLE',
    repeatable: true,
    text: 'With add: what the agent may act as, a name that skills are assigned to, or * for every typed skill. Default: its own name. Repeatable.',
    texts: {
      user: 'What the person may act as, a name that skills are assigned to, or * for every typed skill. Repeatable.',
    },
  },
  expires: {
    value: 'TIME',
    duration: true,
    text: 'With add: the token expires after this time, such as 12h or 90d. Default: never.',
  },
  rotate: { text: 'Create a new token. Servers that run with this data directory take it over within a second.' },
  verify: { text: 'Check every entry; exit 1 when one was changed, removed, inserted or moved.' },
  head: { value: 'SEQ:HASH', text: 'With --verify: a head that you kept, to find out whether the end was cut off.' },
  input: { value: 'JSON', text: 'The input: JSON, @FILE, or - for standard input.' },
  async: { text: 'Store the run of a durable skill, print its id, and leave it to a server that uses the same store.' },
  wait: {
    value: 'SECONDS',
    range: [0, 86_400],
    text: 'With --async: wait so many seconds for a server to end it first. Default: 0.',
  },
  'idempotency-key': {
    value: 'KEY',
    text: 'The same key and input give the same run for 24 hours: 1 to 255 visible characters.',
  },
  state: {
    value: 'STATE',
    choices: ['waiting', 'unfinished', 'finished'],
    text: 'Only runs that are waiting for a decision, unfinished or finished.',
  },
  'correlation-id': {
    value: 'ID',
    text: 'Record the run under this id, 8-4-4-4-12 hexadecimal digits. Default: a new one.',
    texts: { log: 'Only runs with this correlation id; its first 8 digits are enough.' },
  },
  skill: { value: 'NAME', text: 'Only this skill.' },
  status: {
    value: 'STATUS',
    choices: ['pending', 'running', 'completed', 'failed', 'timeout'],
    text: 'Only invocations in this state: pending, running, completed, failed or timeout.',
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
  window: {
    value: 'TIME',
    duration: true,
    text: 'The period to report on, such as 30m, 1h or 7d. Default: 1h.',
    texts: { upkeep: 'How far back uses count, such as 7d or 90d. Default: 30d.' },
  },
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
export const httpOptions: readonly OptionName[] = [
  'port',
  'host',
  'allow-host',
  'trust-proxy',
  'no-auth',
  'public-index',
  'sync',
  'oauth',
  'public-url',
  'issuer',
  'audience',
  'role-claim',
  'redirect-scheme',
  'allow-loopback-clients',
];

/** For commands about sources: whose lock, and where the content is. */
export const sourceOptions: readonly OptionName[] = ['project', 'global', 'data'];

/** Taken everywhere. */
export const commonOptions: readonly OptionName[] = ['help', 'version'];
