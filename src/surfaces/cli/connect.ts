// `repertoire connect [HOST]`: puts this server into the configuration of an agent host, or takes it out again.

import { pathExists } from '../../hosts/connect/config-file.ts';
import { connectHost } from '../../hosts/connect/connect-host.ts';
import { type Host, loadHosts, type Server } from '../../hosts/connect/host-config.ts';
import { toOneLine } from '../../text/one-line.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { type Ask, chooseHost, connectLine, describeHosts, findHost, scopeOf } from './connect-choice.ts';
import { findServed } from './connect-served.ts';
import { findServer } from './connect-server.ts';
import { connectionJson, renderConnection, renderHosts } from './render-connect.ts';
import { hasDatabaseUrl } from './server-command.ts';
import { askLine } from './terminal/ask-line.ts';
import { toDisplayPath } from './terminal/display-path.ts';
import { toJsonText } from './terminal/safe-text.ts';

/** `ask`: one line from the person at the terminal; absent: nobody is there. */
export async function run(context: CommandContext, ask: Ask | undefined = findPerson(context)): Promise<ExitCode> {
  const { errors, environment, operands } = context;
  const server = findServer(context);
  if (!server.ok) return refuse(context, server.failure);
  const hosts = await loadHosts({ environment, platform: process.platform, exists: pathExists });
  const wanted = operands[0];
  if (wanted === undefined && ask === undefined) return listHosts(context, hosts);
  const chosen =
    wanted === undefined && ask ? await chooseHost(context, hosts, ask) : findHost(context, hosts, wanted ?? '');
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

async function listHosts(context: CommandContext, hosts: readonly Host[]): Promise<ExitCode> {
  const rows = await describeHosts(context, hosts);
  if (context.flags.has('json')) {
    context.output.write(
      toJsonText({
        hosts: rows.map(({ id, title, path, found, connected }) => ({ host: id, title, path, found, connected })),
      }),
    );
    return 0;
  }
  context.output.write(renderHosts(rows, false, context.output));
  return refuse(context, `Command "connect" needs a HOST here: for example ${connectLine(context)} claude-code`);
}

async function connect(context: CommandContext, host: Host, server: Server | undefined): Promise<ExitCode> {
  const { environment, flags, output, errors, settings } = context;
  const scope = scopeOf(context);
  const { project } = settings.rootRequest;
  const verb = server === undefined ? 'disconnect' : 'connect';
  const file = findFile(context, host, server);
  if (!file.ok) return refuse(context, `Cannot ${verb} ${host.title}${file.failure}`);
  const path = file.value;
  const base = scope === 'user' ? environment.home : project;
  const isHere = await host.isHere(); // Before there is a file that we made.
  // Before the change: whoever does not want to wait for a long scan leaves with nothing changed.
  const served = server && 'command' in server ? await findServed(context) : undefined;
  const connected = connectHost({ host, scope, path, base, server, write: !flags.has('print') });
  const showPath = (shown: string) => toDisplayPath(shown, environment);
  if (!connected.ok) {
    const sentence = `Cannot ${verb} ${host.title}: ${showPath(path)}: ${connected.failure}. The file is as it was`;
    errors.write(`${toOneLine(sentence)}\n`);
    return 1;
  }
  const warning = connected.value.isNewFile ? host.findWarning(scope, project) : undefined;
  const facts = { host, scope, server, served, isHere, hasDatabaseUrl: hasDatabaseUrl(context), warning, showPath };
  const report = { ...facts, connection: connected.value };
  output.write(flags.has('json') ? toJsonText(connectionJson(report)) : renderConnection(report, output));
  return 0;
}

/** The failure is the end of a sentence. */
function findFile(context: CommandContext, host: Host, server: Server | undefined): Result<string, string> {
  const path = host.findPath(scopeOf(context), context.settings.rootRequest.project);
  if (path === undefined) return fail(': it has no configuration file for a project; leave out --scope project');
  if (server && 'url' in server && !host.takesHttp)
    return fail(' over HTTP: its file takes programs only; leave out --http');
  return ok(path);
}
