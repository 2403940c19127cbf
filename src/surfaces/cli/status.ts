// `repertoire` alone: what was found where, what is broken, which agents are here, what to type next.
import { existsSync } from 'node:fs';
import { toAbsolute } from '../../settings/config.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { createDoctorLine } from './connect-server.ts';
import { findConnected, findHosts } from './installed-hosts.ts';
import { openCatalog } from './open-catalog.ts';
import { toShellLine } from './program-command.ts';
import { renderStatus } from './render-status.ts';
import { problemJson, rootJson } from './report-json.ts';
import { createServerCommand, createStatusReport, type StatusReport } from './status-report.ts';
import { toJsonText } from './terminal/safe-text.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const { settings, environment, values, output } = context;
  const catalog = await openCatalog(context);
  const given = {
    roots: (values.get('root') ?? []).map((path) => toAbsolute(path, environment)),
    project: values.get('project')?.[0],
    rescan: undefined,
  };
  const hosts = findHosts(environment.home, existsSync);
  const report = createStatusReport(catalog, {
    version: context.version,
    givenRoots: settings.rootRequest.given,
    program: toShellLine(context.program()),
    doctor: createDoctorLine(context),
    hasProjectSkills: catalog.current.skills.some((skill) => skill.isOfProject),
    hosts,
    connected: await findConnected(hosts, environment),
    serverCommand: createServerCommand(context.program(), settings, given),
  });
  catalog.close();
  output.write(context.flags.has('json') ? toJsonText(statusJson(report)) : renderStatus(report, output));
  return 0;
}

function statusJson(report: StatusReport): unknown {
  return {
    version: report.version,
    skill_count: report.skillCount,
    roots: report.roots.map(rootJson),
    problems: report.problems.map(problemJson),
    hosts: report.hosts.map(({ id, name, folder }) => ({
      id,
      name,
      folder: `~/${folder}`,
      connected: report.connected.includes(id),
    })),
    server_command: report.serverCommand,
  };
}
