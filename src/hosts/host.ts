// What is known about a host: a program that people run agents in. The table is hosts.ts. Only types.

export interface Host {
  /** As written on the command line: `claude-code`. */
  readonly id: string;
  readonly title: string;
  /**
   * What `clientInfo.name` may be, in lower case; a `*` at the end stands for the name that the server has in its settings.
   * Absent: not known.
   */
  readonly clientNames?: readonly string[];
  /** The version that was run, and gave itself the first of these names. Absent: they come from elsewhere. */
  readonly seen?: string;
  /**
   * Folders that it reads skills from without being told to, in about its own order: `./…` of the project, `~/…` of the
   * user, `$VARIABLE/…` where the variable is set. Not those that need a setting: a skill that is taken for the host's
   * own, and is not, would be missing there (D10). Absent: it reads none, or none is known.
   */
  readonly folders?: readonly string[];
  /** Variables that move folders of the user; the first that is set and fits counts. */
  readonly moved?: readonly Move[];
  /** Where it keeps its MCP servers. Absent: `connect` cannot connect it. */
  readonly config?: HostConfig;
}

export interface Move {
  readonly variable: string;
  /** The folder that the variable stands for: `~/.codex`. */
  readonly from: string;
  /** What the host appends to the variable's value. */
  readonly suffix?: string;
  /** When it is set the host reads skills from no other folder of the user. */
  readonly replacesOthers?: true;
}

export interface HostConfig {
  /**
   * Of the user: `~/…`, or `%APPDATA%/…` for the folder in which programs keep their data on this platform. The first
   * that exists is the one; where none does, the first is made.
   */
  readonly files: readonly string[];
  /** Where they lie elsewhere on one platform. */
  readonly filesOn?: { readonly [platform in 'darwin' | 'win32']?: readonly string[] };
  /** In a project: `./…`. Absent: it has no such file. */
  readonly projectFiles?: readonly string[];
  /** Where none exists, the last one is made, not the first. */
  readonly createsLast?: true;
  /** Variables that move the file, where they are not those that move the folders. */
  readonly moved?: readonly Move[];
  /** Folders that tell that it is installed. Absent: the one that its file lies in. */
  readonly installedWhen?: readonly string[];
  /** JSON when absent. */
  readonly format?: 'toml' | 'yaml';
  /** The key that the servers stand under. `mcpServers` when absent. */
  readonly key?: string;
  /** What an entry looks like. `standard` when absent. */
  readonly shape?: EntryShape;
  /** Its file takes programs only. */
  readonly programsOnly?: true;
  /** It takes a token only from a variable of its environment, not from the file. */
  readonly tokenByVariable?: true;
  /** In its entries `$NAME` is a variable, too; for others a `$` is a `$`. */
  readonly fillsBareNames?: true;
  /** It reads only files that no other user can read. */
  readonly isPrivate?: true;
  /** What a person should know before a new file is made in a project that has the file `when`. */
  readonly projectWarning?: { readonly when: string; readonly text: string };
  /** What it lacks by itself. */
  readonly needs?: string;
  /** What a person has to allow before it uses a server of its file. Absent: nothing is known of. */
  readonly asks?: HostQuestion;
  /** What to do once it is connected. Absent: restart it. */
  readonly next?: string;
}

interface HostQuestion {
  /** Of which of its files. */
  readonly scopes: readonly ('user' | 'project')[];
  /** While it was not asked yet. */
  readonly open: string;
  /** After a person said no. */
  readonly refused: string;
}

export type EntryShape =
  | 'standard'
  | 'plain'
  | 'antigravity'
  | 'cline'
  | 'codex'
  | 'copilot'
  | 'fx'
  | 'goose'
  | 'kimi'
  | 'opencode'
  | 'zed';
