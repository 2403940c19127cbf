// `repertoire connect [HOST]`: puts this server into the configuration of an agent host, or takes it out again.

import { pathExists } from '../connect/config-file.ts';
import { connectHost } from '../connect/connect-host.ts';
import { type Host, loadHosts, type Scope, type Server } from '../connect/hosts.ts';
import { toOneLine } from '../document/one-line.ts';
import { fail, ok, type Result } from '../result.ts';
import { askLine } from './ask-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { findServer } from './connect-server.ts';
import { toDisplayPath } from './display-path.ts';
import { toJsonText } from './json-output.ts';
import { findNearest, orList } from './nearest.ts';
import { connectionJson, type HostRow, renderConnection, renderHosts } from './render-connect.ts';

type Ask = (question: string) => Promise<string | undefined>;

/** `ask`: one line from the person at the terminal; absent: nobody is there. */
export async function run(context: CommandContext, ask: Ask | undefined = findPerson(context)): Promise<ExitCode> {
  const { errors, environment, operands } = context;
  const server = findServer(context);
  if (!server.ok) return refuse(context, server.failure);
  const hosts = await loadHosts({ environment, platform: process.platform, exists: pathExists });
  const wanted = operands[0];
  if (wanted === undefined && ask === undefined) return listHosts(context, hosts);
  const chosen = wanted === undefined && ask ? await chooseHost(context, hosts, ask) : findHost(hosts, wanted ?? '');
  if (!chosen.ok) return refuse(context, chosen.failure);
  if (chosen.value === undefined) {
    errors.write('Nothing was changed\n');
    return 0;
  }
  return connect(context, chosen.value, server.value);
}

function findPerson({ output, flags }: CommandContext): Ask | undefined {
  return output.isTerminal && process.stdin.isTTY && !flags.has('json') ? askLine : undefined;
}

function refuse({ errors }: CommandContext, sentence: string): ExitCode {
  errors.write(`${toOneLine(sentence)}\n`);
  return 2;
}

function findHost(hosts: readonly Host[], wanted: string): Result<Host, string> {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const found = hosts.find(({ id, title }) => plain(id) === plain(wanted) || plain(title) === plain(wanted));
  if (found) return ok(found);
  const ids = hosts.map(({ id }) => id);
  const near = findNearest(wanted, ids, 3);
  const hint = near.length > 0 ? `did you mean ${orList(near)}?` : 'repertoire connect lists those that are known';
  return fail(`Unknown host "${wanted}": ${hint}`);
}

async function listHosts(context: CommandContext, hosts: readonly Host[]): Promise<ExitCode> {
  const rows = await describeHosts(context, hosts);
  if (context.flags.has('json')) {
    context.output.write(
      toJsonText({ hosts: rows.map(({ id, title, path, found }) => ({ host: id, title, path, found })) }),
    );
    return 0;
  }
  context.output.write(renderHosts(rows, false, context.output));
  return refuse(context, 'Command "connect" needs a HOST here: for example repertoire connect claude-code');
}

async function chooseHost(
  context: CommandContext,
  hosts: readonly Host[],
  ask: Ask,
): Promise<Result<Host | undefined, string>> {
  const rows = (await describeHosts(context, hosts)).filter(({ found }) => found);
  if (rows.length === 0) return fail('No host was found here: name one, for example repertoire connect claude-code');
  context.output.write(renderHosts(rows, true, context.output));
  const answer = (await ask('Which one? A number or a name; nothing to leave: '))?.trim();
  if (!answer) return ok(undefined);
  const row = rows[Number(answer) - 1];
  return findHost(hosts, row?.id ?? answer);
}

async function describeHosts(context: CommandContext, hosts: readonly Host[]): Promise<readonly HostRow[]> {
  const { environment, settings } = context;
  const scope = scopeOf(context);
  const rows = await Promise.all(
    hosts.map(async (host) => {
      const path = host.findPath(scope, settings.rootRequest.project);
      const found = await host.isHere();
      return path === undefined ? [] : [{ ...host, path, shownPath: toDisplayPath(path, environment), found }];
    }),
  );
  // Those that are here first; in each half the library's order.
  return rows.flat().sort((a, b) => Number(b.found) - Number(a.found));
}

const scopeOf = ({ values }: CommandContext): Scope => (values.get('scope')?.[0] === 'project' ? 'project' : 'user');

async function connect(context: CommandContext, host: Host, server: Server | undefined): Promise<ExitCode> {
  const { environment, flags, output, errors } = context;
  const scope = scopeOf(context);
  const { project } = context.settings.rootRequest;
  const path = host.findPath(scope, project);
  const verb = server === undefined ? 'disconnect' : 'connect';
  if (path === undefined) {
    const reason = 'it has no configuration file for a project; leave out --scope project';
    return refuse(context, `Cannot ${verb} ${host.title}: ${reason}`);
  }
  if (server && 'url' in server && !host.takesHttp) {
    return refuse(context, `Cannot connect ${host.title} over HTTP: its file takes programs only; leave out --http`);
  }
  const isHere = await host.isHere(); // Before there is a file that we made.
  const connected = connectHost({ host, scope, path, server, write: !flags.has('print') });
  const showPath = (file: string) => toDisplayPath(file, environment);
  if (!connected.ok) {
    const sentence = `Cannot ${verb} ${host.title}: ${showPath(path)}: ${connected.failure}. The file is as it was`;
    errors.write(`${toOneLine(sentence)}\n`);
    return 1;
  }
  const warning = connected.value.isNewFile ? host.findWarning(scope, project) : undefined;
  const report = { host, scope, server, connection: connected.value, isHere, warning, showPath };
  output.write(flags.has('json') ? toJsonText(connectionJson(report)) : renderConnection(report, output));
  return 0;
}
