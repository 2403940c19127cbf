// What to do about an entry that does not work: one sentence for each obstacle, with the command as it is typed here. Pure.
import type { Obstacle, ObstacleCause } from '../../hosts/check/attempt.ts';
import { maskUrl, maskWords } from '../../hosts/connect/entry.ts';
import type { ConfigScope, ConnectableHost } from '../../hosts/connect/host-files.ts';
import { toShellLine } from '../../text/shell-line.ts';
import { isLoopbackHost } from '../http/server/host-header.ts';
import type { CommandContext } from './command.ts';
import { hintLine } from './hint-line.ts';

export interface FixFacts {
  readonly host: ConnectableHost;
  readonly scope: ConfigScope;
  /** Of the entry; absent: it starts a program. */
  readonly url?: string | undefined;
  /** The words that the entry starts. */
  readonly words?: readonly string[] | undefined;
  /** The run that gives the advice: its program, and where it looks. */
  readonly context: Pick<CommandContext, 'program' | 'flags' | 'values'>;
}

export const fixFor = ({ cause }: Obstacle, facts: FixFacts): string => fixes[cause](facts);

const line = ({ context }: FixFacts, ...words: readonly string[]): string => `\`${hintLine(context, words)}\``;

const connectWords = ({ host, scope }: FixFacts): readonly string[] => [
  'connect',
  host.id,
  ...(scope === 'project' ? ['--scope', 'project'] : []),
];

const again = (facts: FixFacts): string => line(facts, ...connectWords(facts));

const againAt = (facts: FixFacts): string => line(facts, ...connectWords(facts), '--http', 'URL');

/** Without what looks like a secret: it is to be filled in again. */
const inTerminal = ({ words = [] }: FixFacts): string => `\`${toShellLine(maskWords(words))}\``;

const withToken = (facts: FixFacts): string =>
  `Create a token with ${line(facts, 'agent', 'add', 'NAME')} where the server runs, set it as REPERTOIRE_TOKEN, then run ${line(facts, ...connectWords(facts), '--http', facts.url === undefined ? 'URL' : maskUrl(facts.url))}`;

/** The file of the user gets its variables. */
const withVariable = (facts: FixFacts): string =>
  `See in ${facts.host.title} whether it works. If you trust the entry, connect for yourself: ${line(facts, 'connect', facts.host.id, ...(facts.url === undefined ? [] : ['--http', maskUrl(facts.url)]))}`;

function startIt(facts: FixFacts): string {
  const { url = '' } = facts;
  const isHere = URL.canParse(url) && isLoopbackHost(new URL(url).hostname);
  return isHere
    ? `Start the server with ${line(facts, 'serve')}, or connect to another address with ${againAt(facts)}`
    : `Check the address and your network, or connect to another address with ${againAt(facts)}`;
}

/** The server is there, but not where the entry says. */
const elsewhere = (facts: FixFacts): string =>
  facts.url === undefined
    ? `Write the entry again with ${again(facts)}`
    : `Connect to the MCP address that the server prints when it starts, with ${againAt(facts)}`;

const fixes = {
  'not-connected': (facts) => `Connect it with ${again(facts)}`,
  'file-unreadable': () => 'Fix the file, then run this command again',
  'entry-unusable': (facts) => `Write the entry again with ${again(facts)}`,
  'switched-off': ({ host }) => `Enable "repertoire" in ${host.title}`,
  'not-started': (facts) => `If you trust it, run it in a terminal: ${inTerminal(facts)}`,
  'command-not-found': (facts) => `Write the entry again with ${again(facts)}`,
  'program-failed': (facts) => `Run it in a terminal to see more: ${inTerminal(facts)}`,
  'timed-out': (facts) =>
    facts.url === undefined ? `Run it in a terminal to see more: ${inTerminal(facts)}` : startIt(facts),
  unreachable: startIt,
  certificate: ({ host }) =>
    `Use an address with a valid certificate; for one of your own, set NODE_EXTRA_CA_CERTS here and where ${host.title} starts`,
  redirected: (facts) => `Connect to the address that it redirects to with ${againAt(facts)}`,
  'no-endpoint': elsewhere,
  'token-missing': withToken,
  'token-rejected': withToken,
  'sign-in-needed': (facts) =>
    `Start ${facts.host.title} and sign in there when it asks. If it does not ask: ${withToken(facts)}`,
  'variable-withheld': withVariable,
  forbidden: () => 'Fix this on the server, then run this command again',
  unavailable: () => 'Run this command again in a minute; if it keeps failing, check the log of the server',
  'not-mcp': elsewhere,
  'not-ours': elsewhere,
} as const satisfies Record<ObstacleCause, (facts: FixFacts) => string>;
