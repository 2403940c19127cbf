// `repertoire connect [HOST]`: adds this server to the configuration of an agent host, tries it there, or removes it.
import { join } from 'node:path';
import type { Obstacle } from '../../hosts/check/attempt.ts';
import { findNeeds } from '../../hosts/check/find-needs.ts';
import { machineWith } from '../../hosts/connect/config-file.ts';
import { connectHost, type HostChange } from '../../hosts/connect/connect-host.ts';
import { type ConnectTarget, tokenVariable } from '../../hosts/connect/host-entry.ts';
import { type ConnectableHost, findConfigPath, findInstalled } from '../../hosts/connect/host-files.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { isBroken, reachServer } from './connect-address.ts';
import { runCheck } from './connect-check.ts';
import { type Ask, chooseHost, findHost, findHosts, scopeOf, writeHosts } from './connect-choice.ts';
import { findServed } from './connect-served.ts';
import { hintLine } from './hint-line.ts';
import { connectJson, renderConnect } from './render-connect.ts';
import { createServerCommand, givenIn, hasDatabaseUrl } from './server-command.ts';
import { askLine } from './terminal/ask-line.ts';
import { toDisplayPath } from './terminal/display-path.ts';
import { exitSaying } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';

/** `ask`: one line from the person at the terminal; absent: there is no person. */
export async function run(context: CommandContext, ask: Ask | undefined = findPerson(context)): Promise<ExitCode> {
  if (context.flags.has('check')) return runCheck(context);
  const server = findServer(context);
  if (!server.ok) return refuse(context, server.failure);
  const [wanted] = context.operands;
  if (wanted === undefined && ask === undefined) return listHosts(context);
  const chosen = wanted === undefined && ask ? await chooseHost(context, ask) : findHost(context, wanted ?? '');
  if (!chosen.ok) return refuse(context, chosen.failure);
  if (chosen.value === undefined) {
    context.errors.write('No changes made\n');
    return 0;
  }
  return connect(context, chosen.value, server.value);
}

function findPerson({ output, flags }: CommandContext): Ask | undefined {
  return output.isTerminal && process.stdin.isTTY && !flags.has('json') ? askLine : undefined;
}

/** What the host is to talk to, by the options; `undefined`: the entry is to go. */
function findServer(context: CommandContext): Result<ConnectTarget | undefined, string> {
  const { flags, values, environment, settings } = context;
  const url = values.get('http')?.[0];
  if (url === undefined && values.has('token'))
    return fail('Option --token needs --http: a program that the host starts needs no token');
  if (flags.has('remove')) return ok(undefined);
  if (url !== undefined) return findRemote(url, values.get('token')?.[0] ?? environment.variables[tokenVariable]);
  const [command = 'repertoire', ...args] = createServerCommand(context.program(), settings, givenIn(context));
  return ok({ command, args });
}

function findRemote(url: string, token: string | undefined): Result<ConnectTarget, string> {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol)) {
    // The rest of it may hold a password.
    const shown = address === undefined ? '' : ` (${address.protocol})`;
    return fail(
      `Cannot connect to that address${shown}: it is not an http or https address; for example http://127.0.0.1:7337/mcp`,
    );
  }
  if (address.username !== '' || address.password !== '') {
    return fail('Cannot connect to that address: it contains a password; use --token instead');
  }
  if (token === undefined || token === '') return ok({ url, token: undefined });
  if (!/^[\x21-\x7e]+$/.test(token))
    return fail('Cannot use that token: it has spaces or other characters that a header cannot contain');
  return ok({ url, token });
}

const refuse = (context: CommandContext, sentence: string): ExitCode => exitSaying(context, sentence, 2);

async function listHosts(context: CommandContext): Promise<ExitCode> {
  const rows = await findHosts(context);
  if (context.flags.has('json')) {
    const hosts = rows.map(({ host: { id, title }, path, isHere, isConnected }) => ({
      host: id,
      title,
      path,
      found: isHere,
      connected: isConnected,
    }));
    context.output.write(toJsonText({ hosts }));
    return 0;
  }
  writeHosts(context, rows, false);
  return refuse(
    context,
    `Command "connect" needs a HOST here: for example ${hintLine(context, ['connect', 'claude-code'])}`,
  );
}

async function connect(
  context: CommandContext,
  host: ConnectableHost,
  given: ConnectTarget | undefined,
): Promise<ExitCode> {
  const { environment, flags, output, settings } = context;
  const scope = scopeOf(context);
  const { project } = settings.rootRequest;
  const verb = given === undefined ? 'disconnect' : 'connect';
  const file = findFile(context, host, given);
  if (!file.ok) return refuse(context, `Cannot ${verb} ${host.title}${file.failure}`);
  const path = file.value;
  const base = scope === 'user' ? environment.home : project;
  const { isHere } = findInstalled(host, machineWith(context.environment)); // Before there is a file that we made.
  const warning = findWarning(context, host);
  // Before the change: a person who does not want to wait for a long scan leaves with nothing changed.
  const served = given && 'command' in given ? await findServed(context) : undefined;
  const reached = given && 'url' in given ? await reachServer(context, host, given, path) : undefined;
  const server = reached?.server ?? given;
  const connected = connectHost({ host, scope, path, base, server, write: !flags.has('print') });
  const showPath = (shown: string) => toDisplayPath(shown, environment);
  if (!connected.ok) {
    const sentence = `Cannot ${verb} ${host.title}: ${showPath(path)}: ${connected.failure}. The file is unchanged`;
    return exitSaying(context, sentence, 1);
  }
  const change = connected.value;
  const facts = { host, scope, server, served, reached, isHere, hasDatabaseUrl: hasDatabaseUrl(context), showPath };
  const needs = given === undefined ? [] : findNeeds(host, scope, project, machineWith(environment));
  const checkLine = createCheckLine(context, host);
  const report = { ...facts, change, needs, checkLine, warning: change.isNewFile ? warning : undefined };
  output.write(flags.has('json') ? toJsonText(connectJson(report)) : renderConnect(report, output));
  const failure = isBroken(reached) ? notWorking(reached.attempt.failure, reached.fix, change) : undefined;
  return failure === undefined ? 0 : exitSaying(context, failure, 1);
}

/** It reads the entry, so it takes nothing that decides what is in one. */
function createCheckLine({ program, values }: CommandContext, { id }: ConnectableHost): string {
  const places = new Map([...values].filter(([name]) => name === 'project'));
  return hintLine({ program, values: places }, ['connect', id, '--check']);
}

/** The entry stays: a server that is down now may be up when the host starts. */
function notWorking({ message }: Obstacle, fix: string | undefined, { written }: HostChange): string {
  const state = written ? 'The entry was written, but does not work yet' : 'The entry does not work yet';
  return `${state}. ${message}. ${fix ?? ''}`;
}

/** The failure is the end of a sentence. */
function findFile(
  context: CommandContext,
  host: ConnectableHost,
  server: ConnectTarget | undefined,
): Result<string, string> {
  const path = findConfigPath(
    host,
    scopeOf(context),
    context.settings.rootRequest.project,
    machineWith(context.environment),
  );
  if (path === undefined) return fail(': it has no project configuration file; leave out --scope project');
  if (server && 'url' in server && host.config.programsOnly)
    return fail(' over HTTP: its settings only support programs; leave out --http');
  return ok(path);
}

function findWarning(context: CommandContext, { config }: ConnectableHost): string | undefined {
  const { projectWarning } = config;
  if (projectWarning === undefined || scopeOf(context) === 'user') return undefined;
  const { exists } = machineWith(context.environment);
  return exists(join(context.settings.rootRequest.project, projectWarning.when)) ? projectWarning.text : undefined;
}
