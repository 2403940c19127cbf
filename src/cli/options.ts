// Every option of the command line. The parser, the help and the suggestions all read this one table.

export interface OptionSpec {
  /** What the value stands for in the help; absent: the option is a switch. */
  readonly value?: string;
  readonly repeatable?: true;
  readonly choices?: readonly string[];
  /** A whole number between these two. */
  readonly range?: readonly [number, number];
  readonly short?: string;
  readonly text: string;
}

const table = {
  root: { value: 'DIR', repeatable: true, text: 'Look for skills in DIR instead of the default folders. Repeatable.' },
  'default-roots': { text: 'With --root: look in the default folders too, after the given ones.' },
  project: { value: 'DIR', text: 'The project whose folders are looked at. Default: the working directory.' },
  without: { value: 'NAME', repeatable: true, text: 'Leave this skill out everywhere. Repeatable.' },
  'allow-links': { value: 'DIR', repeatable: true, text: 'Links may also lead into DIR. Repeatable.' },
  agents: { value: 'NAMES', text: 'Look in the folders of these agents too: all, or names such as cursor,codex.' },
  pin: { value: 'NAME', repeatable: true, text: 'Show this skill to hosts before all others. Repeatable.' },
  'show-native': { text: 'Show a host the skills that it reads from its own folders anyway, too.' },
  limit: { value: 'N', range: [1, 50], text: 'At most N results, 1 to 50. Default: 5.' },
  rescan: { value: 'SECONDS', range: [1, 86_400], text: 'Look at everything again this often. Default: 30.' },
  scope: { value: 'SCOPE', choices: ['user', 'project'], text: 'Which of the configuration files: user or project.' },
  http: { value: 'URL', text: 'Connect to a running server at URL instead of starting one.' },
  token: { value: 'TOKEN', text: 'With --http: what the host identifies itself with. Default: REPERTOIRE_TOKEN.' },
  print: { text: 'Show the change and write nothing.' },
  remove: { text: 'Take the entry out again.' },
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

/** For commands that stay: what a host sees unasked, and how fresh it is in any case. */
export const servingOptions: readonly OptionName[] = ['pin', 'show-native', 'rescan'];

/** Taken everywhere. */
export const commonOptions: readonly OptionName[] = ['help', 'version'];
