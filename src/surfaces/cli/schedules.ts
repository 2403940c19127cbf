// `repertoire schedules`: the schedules of the --config file, with their next and their last time (J7).
import { COMMAND_LIMITS } from '../../app/store.ts';
import { startTypedSkills } from '../../app/typed-skills.ts';
import { scheduleJson } from '../../operations/runs.ts';
import type { ScheduleState } from '../../skills/durable/schedule.ts';
import { StoreUnavailable } from '../../skills/record/invocation-log.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { renderSchedules, scheduleLines } from './render-runs.ts';
import { exitSaying, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';

export async function run(context: CommandContext): Promise<ExitCode> {
  const { settings } = context;
  const options = { log: () => undefined, hasBuiltin: true, search: async () => [], store: COMMAND_LIMITS };
  const typed = await startTypedSkills(settings, options);
  if (!typed.ok) return exitSaying(context, typed.failure, 1);
  try {
    return show((await typed.value.runs?.schedules()) ?? [], context);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return exitSaying(context, error.message, 1);
  } finally {
    await typed.value.close();
  }
}

function show(schedules: readonly ScheduleState[], { flags, output, errors }: CommandContext): ExitCode {
  if (flags.has('json')) output.write(toJsonText({ schedules: schedules.map(scheduleJson) }));
  else if (schedules.length === 0) saySentence(errors, 'No schedules: add them to the file that --config names');
  else output.write(output.isTerminal ? renderSchedules(schedules, output) : scheduleLines(schedules));
  for (const { problem } of schedules) if (problem !== undefined && !flags.has('json')) saySentence(errors, problem);
  return schedules.some(({ problem }) => problem !== undefined) ? 1 : 0;
}
