// `repertoire serve`: the skills over HTTP for one person or a team, until a signal comes.
import { startHttpApp } from '../../app.ts';
import { openWebFolder } from '../answers/web-folder.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { openStandardErrorLog } from './event-log.ts';
import { inOwnWords } from './hint-line.ts';
import { createLaunch } from './launch.ts';
import { findServeCommandFault } from './serve-fault.ts';
import { reportServing } from './serve-report.ts';
import { saySentence } from './terminal/output.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const { settings, version, webDirectory } = context;
  const fault = findServeCommandFault(context);
  if (fault !== undefined) return refuse(context, fault.sentence, fault.code);
  const signal = context.stopSignal();
  const write = openStandardErrorLog(context.errors.isTerminal);
  const log: typeof write = (event) => write({ ...event, message: inOwnWords(context, event.message) });
  const app = await startHttpApp(settings, {
    version,
    log,
    web: openWebFolder(webDirectory),
    listenWords: LISTEN_WORDS,
    launch: createLaunch(context),
  });
  if (!app.ok) return refuse(context, inOwnWords(context, app.failure), 1);
  try {
    await reportServing(context, app.value);
    await aborted(signal);
  } finally {
    await app.value.close();
  }
  return 0;
}

const LISTEN_WORDS = { host: '--host', port: '--port' };

function refuse({ errors }: CommandContext, sentence: string, code: ExitCode): ExitCode {
  saySentence(errors, sentence);
  return code;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
