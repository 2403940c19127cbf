// `repertoire serve`: the skills over HTTP for one person or a team, until a signal comes.
import { badRootText, findBadRoots } from '../../app/bad-roots.ts';
import { type HttpApp, startHttpApp } from '../../app.ts';
import type { RuntimeLog } from '../../skills/record/runtime-log.ts';
import { openWebFolder } from '../answers/web-folder.ts';
import { isLoopbackHost } from '../http/server/host-header.ts';
import { findAddressFault } from './address-fault.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { openStandardErrorLog } from './event-log.ts';
import { reportServing } from './serve-report.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const { settings, version, webDirectory } = context;
  if (settings.http.noAuth && !isLoopbackHost(settings.http.host)) return refuse(context, NO_AUTH_BEYOND, 2);
  const fault = findAddressFault(context);
  if (fault !== undefined) return refuse(context, fault.sentence, fault.code);
  const signal = context.stopSignal();
  const log = openStandardErrorLog(context.errors.isTerminal);
  const app = await startHttpApp(settings, { version, log, web: openWebFolder(webDirectory) });
  if (!app.ok) return refuse(context, app.failure, 1);
  try {
    warnOfBadRoots(app.value, log);
    await reportServing(context, app.value);
    await aborted(signal);
  } finally {
    await app.value.close();
  }
  return 0;
}

const NO_AUTH_BEYOND =
  'Option --no-auth does not go with an address that others can reach: leave one of the two out, or use --host 127.0.0.1';

function refuse({ errors }: CommandContext, sentence: string, code: ExitCode): ExitCode {
  errors.write(`${sentence}\n`);
  return code;
}

/** They are looked for again: a folder that is made later is found without a new start. */
function warnOfBadRoots({ catalog, settings }: HttpApp, log: RuntimeLog): void {
  for (const root of findBadRoots(catalog, settings)) log({ level: 'warn', message: badRootText(root) });
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
