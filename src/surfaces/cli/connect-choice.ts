// Which host `connect` is about: by what was typed, or by what the person at the terminal answers.
import { isConnected } from '../../hosts/connect/connect-host.ts';
import type { Host, Scope } from '../../hosts/connect/host-config.ts';
import { findNearest, orList } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext } from './command.ts';
import { toShellLine } from './program-command.ts';
import { type HostRow, renderHosts } from './render-connect.ts';
import { toDisplayPath } from './terminal/display-path.ts';

export type Ask = (question: string) => Promise<string | undefined>;

export const scopeOf = ({ values }: CommandContext): Scope =>
  values.get('scope')?.[0] === 'project' ? 'project' : 'user';

/** The command as it is typed here: the program may have no name on the PATH. */
export const connectLine = (context: CommandContext): string => `${toShellLine(context.program())} connect`;

export function findHost(context: CommandContext, hosts: readonly Host[], wanted: string): Result<Host, string> {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const found = hosts.find(({ id, title }) => plain(id) === plain(wanted) || plain(title) === plain(wanted));
  if (found) return ok(found);
  const ids = hosts.map(({ id }) => id);
  const near = findNearest(wanted, ids, 3);
  const hint = near.length > 0 ? `did you mean ${orList(near)}?` : `${connectLine(context)} lists those that are known`;
  return fail(`Unknown host "${wanted}": ${hint}`);
}

const mostQuestions = 3;

/** `undefined`: the person wants none. */
export async function chooseHost(
  context: CommandContext,
  hosts: readonly Host[],
  ask: Ask,
): Promise<Result<Host | undefined, string>> {
  const all = await describeHosts(context, hosts);
  const here = all.filter(({ found }) => found);
  const rows = here.length > 0 ? here : all;
  context.output.write(renderHosts(rows, true, context.output));
  for (let count = 1; ; count++) {
    const answer = (await ask('Which one? A number or a name; nothing to leave: '))?.trim();
    if (!answer) return ok(undefined);
    const chosen = findAnswered(context, hosts, rows, answer);
    if (chosen.ok || count === mostQuestions) return chosen;
    context.errors.write(`${toOneLine(chosen.failure)}\n`);
  }
}

function findAnswered(
  context: CommandContext,
  hosts: readonly Host[],
  rows: readonly HostRow[],
  answer: string,
): Result<Host, string> {
  if (!/^\d+$/.test(answer)) return findHost(context, hosts, answer);
  const row = rows[Number(answer) - 1];
  if (row) return findHost(context, hosts, row.id);
  return fail(`Cannot choose ${answer}: the numbers go from 1 to ${rows.length}; type one of them, or a name`);
}

/** Those that are here first; in each half by id. */
export async function describeHosts(context: CommandContext, hosts: readonly Host[]): Promise<readonly HostRow[]> {
  const { environment, settings } = context;
  const scope = scopeOf(context);
  const rows = await Promise.all(
    hosts.map(async (host) => {
      const path = host.findPath(scope, settings.rootRequest.project);
      const found = await host.isHere();
      if (path === undefined) return [];
      const connected = isConnected({ host, scope, path });
      return [{ ...host, path, shownPath: toDisplayPath(path, environment), found, connected }];
    }),
  );
  return rows.flat().sort((a, b) => Number(b.found) - Number(a.found) || (a.id < b.id ? -1 : 1));
}
