// Which host `connect` is about: by what was typed, or by what the person at the terminal answers.
import { machineWith } from '../../hosts/connect/config-file.ts';
import { CONNECTABLE_HOSTS, type ConfigScope, type ConnectableHost } from '../../hosts/connect/host-files.ts';
import { type SurveyedHost, surveyHosts } from '../../hosts/connect/survey-hosts.ts';
import { findNearest, orList } from '../../text/nearest.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext } from './command.ts';
import { hintLine } from './hint-line.ts';
import { renderHosts } from './render-connect.ts';
import { toDisplayPath } from './terminal/display-path.ts';
import { exitSaying } from './terminal/output.ts';

export type Ask = (question: string) => Promise<string | undefined>;

export const scopeOf = ({ values }: CommandContext): ConfigScope =>
  values.get('scope')?.at(-1) === 'project' ? 'project' : 'user';

export function findHost(context: CommandContext, wanted: string): Result<ConnectableHost, string> {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const isWanted = (name: string) => plain(name) === plain(wanted);
  const found = CONNECTABLE_HOSTS.find(({ id, title }) => isWanted(id) || isWanted(title));
  if (found) return ok(found);
  const ids = CONNECTABLE_HOSTS.map(({ id }) => id);
  const near = findNearest(wanted, ids, 3);
  const hint =
    near.length > 0 ? `did you mean ${orList(near)}?` : `\`${hintLine(context, ['connect'])}\` lists the known hosts`;
  return fail(`Unknown host "${wanted}": ${hint}`);
}

const mostQuestions = 3;

/** `undefined`: the person wants none. */
export async function chooseHost(
  context: CommandContext,
  ask: Ask,
): Promise<Result<ConnectableHost | undefined, string>> {
  const all = await findHosts(context);
  const here = all.filter(({ isHere }) => isHere);
  const rows = here.length > 0 ? here : all;
  writeHosts(context, rows, true);
  for (let count = 1; ; count++) {
    const answer = (await ask('Which one? A number or a name; empty to cancel: '))?.trim();
    if (!answer) return ok(undefined);
    const chosen = findAnswered(context, rows, answer);
    if (chosen.ok || count === mostQuestions) return chosen;
    exitSaying(context, chosen.failure, 2);
  }
}

function findAnswered(
  context: CommandContext,
  rows: readonly SurveyedHost[],
  answer: string,
): Result<ConnectableHost, string> {
  if (!/^\d+$/.test(answer)) return findHost(context, answer);
  const row = rows[Number(answer) - 1];
  if (row) return ok(row.host);
  return fail(`Cannot choose ${answer}: the numbers go from 1 to ${rows.length}; type one of them, or a name`);
}

/** Those that are here first; in each half by id. */
export async function findHosts(context: CommandContext): Promise<readonly SurveyedHost[]> {
  const rows = await surveyHosts(
    scopeOf(context),
    context.settings.rootRequest.project,
    machineWith(context.environment),
  );
  return [...rows].sort((a, b) => Number(b.isHere) - Number(a.isHere) || (a.host.id < b.host.id ? -1 : 1));
}

export function writeHosts(context: CommandContext, rows: readonly SurveyedHost[], numbered: boolean): void {
  const showPath = (path: string) => toDisplayPath(path, context.environment);
  context.output.write(renderHosts(rows, { numbered, showPath }, context.output));
}
