// Which tables a store has: the one list for the tests that look at them all. A new table is one line here.

const prefixed = (prefix: string, names: readonly string[]) => names.map((name) => `${prefix}_${name}`);

/** Kept also without a log (X7). */
const NEEDED_TABLES = prefixed('repertoire', [
  'agents',
  'events',
  'grants',
  'library_files',
  'library_policy',
  'library_skills',
  'library_versions',
  'mcp_sessions',
  'migrations',
  'oauth_clients',
  'oauth_codes',
  'oauth_grants',
  'oauth_peers',
  'oauth_tokens',
  'secrets',
  'tasks',
  'trail',
  'trail_head',
  'users',
]);

/** What processes count together: only where there are several. */
const COUNTED_TABLES = { sqlite: [], postgres: prefixed('repertoire', ['minutes', 'places', 'replicas']) };

export const tablesWithoutLog = (kind: 'sqlite' | 'postgres'): readonly string[] =>
  [...NEEDED_TABLES, ...COUNTED_TABLES[kind]].sort();

/** What is logged, and what runs. */
export const LOG_TABLES = [
  ...prefixed('skill', [
    'invocations',
    'results',
    'long_inputs',
    'long_results',
    'invocation_counts',
    'agent_counts',
    'loads',
    'load_counts',
    'load_minutes',
  ]),
  ...prefixed('repertoire', ['runs', 'attempts', 'run_steps', 'processes']),
];
