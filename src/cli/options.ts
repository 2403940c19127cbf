// Every option of the command line. The parser, the help and the suggestions all read this one table.

export interface OptionSpec {
  /** What the value stands for in the help; absent: the option is a switch. */
  readonly value?: string;
  readonly repeatable?: true;
  readonly choices?: readonly string[];
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
  project: { value: 'DIR', text: 'The project whose folders are looked at. Default: the working directory.' },
  without: { value: 'NAME', repeatable: true, text: 'Leave this skill out everywhere. Repeatable.' },
  'allow-links': { value: 'DIR', repeatable: true, text: 'Links may also lead into DIR. Repeatable.' },
  agents: {
    value: 'NAMES',
    repeatable: true,
    text: 'Look in the folders of these agents too: all, or names such as cursor,codex.',
  },
  pin: { value: 'NAME', repeatable: true, text: 'Show this skill to hosts before all others. Repeatable.' },
  'show-native': { text: 'Show a host the skills that it reads from its own folders anyway, too.' },
  limit: {
    value: 'N',
    range: [1, 50],
    ranges: { log: [1, 1_000] },
    text: 'At most N: search 1 to 50, default 5; log 1 to 1000, default 20.',
  },
  rescan: { value: 'SECONDS', range: [1, 86_400], text: 'Look at everything again this often. Default: 30.' },
  scope: { value: 'SCOPE', choices: ['user', 'project'], text: 'Which of the configuration files: user or project.' },
  http: { value: 'URL', text: 'Connect to a running server at URL instead of starting one.' },
  token: { value: 'TOKEN', text: 'With --http: what the host identifies itself with. Default: REPERTOIRE_TOKEN.' },
  print: { text: 'Show what would be done and do nothing.' },
  remove: { text: 'Take the entry out again.' },
  config: { value: 'FILE', text: 'A file of yours with typed skills and settings; it is executed.' },
  data: { value: 'DIR', text: 'Where the log is kept. Default: ~/.repertoire' },
  'database-url': { value: 'URL', text: 'Keep the log in this PostgreSQL instead. Default: DATABASE_URL' },
  agent: { value: 'NAME', text: 'Who invokes typed skills; without it: you, who may invoke all.' },
  log: {
    value: 'POLICY',
    choices: ['required', 'best-effort'],
    text: 'When the log cannot be written: refuse to run, or run all the same. Default: best-effort.',
  },
  'no-log': { text: 'Record nothing.' },
  keep: { value: 'TIME', duration: true, text: 'Forget what is older: 90m, 12h, 30d. Default: 30d.' },
  input: { value: 'JSON', text: 'The input: JSON, @FILE, or - for standard input.' },
  'correlation-id': { value: 'ID', text: 'The id that connects this call with others.' },
  skill: { value: 'NAME', text: 'Only this skill.' },
  status: {
    value: 'STATUS',
    choices: ['pending', 'running', 'completed', 'failed', 'timeout'],
    text: 'Only invocations in this state.',
  },
  client: { value: 'NAME', text: 'Only what this agent or client did.' },
  since: { value: 'TIME', duration: true, text: 'Only the last 90m, 12h, 7d.' },
  loads: { text: 'The document skills that were read, instead of the invocations.' },
  follow: { text: 'Go on and show what happens.' },
  window: { value: 'TIME', duration: true, text: 'The time that is looked at: 30m, 1h, 7d. Default: 1h.' },
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
export const typedOptions: readonly OptionName[] = ['config', 'agent', ...storeOptions, 'log', 'no-log', 'keep'];

/** For commands that stay: what a host sees unasked, and how fresh it is in any case. */
export const servingOptions: readonly OptionName[] = ['pin', 'show-native', 'rescan'];

/** Taken everywhere. */
export const commonOptions: readonly OptionName[] = ['help', 'version'];
