// `repertoire invoke NAME`: runs one typed skill and prints what it returns.

import { badRootText, findBadRoots } from '../../app/bad-roots.ts';
import { COMMAND_LIMITS } from '../../app/store.ts';
import { explainNoSkills, problemSentences, type SearchSkills, startTypedSkills } from '../../app/typed-skills.ts';
import { resolveVisibility } from '../../app/visibility.ts';
import { callerOf, LOCAL_OPERATOR, mayInvoke } from '../../identity/caller.ts';
import { startCatalog } from '../../open-catalog.ts';
import { answerJson } from '../../operations/typed-skills.ts';
import { createKeptRepertoire } from '../../repertoire/repertoire.ts';
import type { Settings } from '../../settings/config.ts';
import type { Progress as SkillProgress } from '../../skills/define/define-skill.ts';
import { FAILURE_MODES } from '../../skills/define/failure.ts';
import type { Failed, SkillAnswer } from '../../skills/define/invocation.ts';
import { definitionJson } from '../../skills/define/registered-skill.ts';
import { invokeOrRun } from '../../skills/durable/invoke-or-run.ts';
import type { Runs, Run as StoredRun } from '../../skills/durable/runs.ts';
import type { RuntimeEvent } from '../../skills/record/runtime-log.ts';
import type { Runtime } from '../../skills/run/runtime.ts';
import { findNearest, orList } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import { isUuid } from '../../values/uuid.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { renderEvent, renderEventLines } from './event-log.ts';
import { inOwnWords } from './hint-line.ts';
import { skillLines, typedRow } from './list.ts';
import { readInput } from './read-input.ts';
import { exitSaying, type Output, saySentence } from './terminal/output.ts';
import { SHOW_EVERY_MS, startProgress } from './terminal/progress.ts';
import { toJsonLine, toJsonText } from './terminal/safe-text.ts';
import { cutToWidth } from './terminal/text-layout.ts';

export function run(context: CommandContext): Promise<ExitCode> {
  return context.operands.length === 0 ? listTyped(context) : runOne(context);
}

/** Without a name: which there are. */
async function listTyped(context: CommandContext): Promise<ExitCode> {
  const { settings, values, flags, output, errors } = context;
  if (values.has('input')) return exitSaying(context, inOwnWords(context, NEEDS_NAME), 2);
  const typed = await startTypedSkills(settings, { log: () => undefined, hasBuiltin: true, search: async () => [] });
  if (!typed.ok) return exitSaying(context, typed.failure, 1);
  const { runtime } = typed.value;
  for (const sentence of problemSentences(runtime)) saySentence(errors, sentence);
  await typed.value.close();
  const skills = shownSkills(runtime, settings);
  if (flags.has('json')) {
    output.write(toJsonText({ skills: skills.map(definitionJson) }));
    return 0;
  }
  const rows = skills.map(typedRow);
  output.write(skillLines(rows, output));
  if (rows.length === 0) return exitSaying(context, explainNoSkills(runtime, settings.agent) ?? NO_SKILLS, 0);
  if (errors.isTerminal) saySentence(errors, inOwnWords(context, RUN_ONE));
  return 0;
}

/** Those that the agent of `--agent` may invoke (X10); all of them without one. */
const shownSkills = ({ skills }: Pick<Runtime, 'skills'>, { agent }: Pick<Settings, 'agent'>) =>
  skills.filter(({ access }) => mayInvoke(callerOf(agent), access));

const RUN_ONE = 'Run one: `repertoire invoke NAME --input {…}`';

const NO_SKILLS = 'No typed skills: add a file that defines some with --config FILE';

const NEEDS_NAME = 'Command "invoke" needs a NAME with --input: `repertoire invoke` lists the typed skills';

async function runOne(context: CommandContext): Promise<ExitCode> {
  const { values, environment, settings, errors } = context;
  const standardInput = () => openStandardInput(errors);
  const input = await readInput(values.get('input')?.[0], { environment, standardInput });
  if (!input.ok) return exitSaying(context, input.failure, 2);
  const line = createWaitingLine(context.operands[0] ?? '', errors);
  // Not by createEventLog: its lines may still wait when the process ends.
  const log = (event: RuntimeEvent) =>
    line.interrupt(`${(errors.isTerminal ? renderEventLines : renderEvent)(event)}\n`);
  const { search, close } = createSearch(line);
  const fault = findWaitFault(context);
  if (fault !== undefined) return exitSaying(context, fault, 2);
  // Its own run alone: a command must not begin what it cannot wait for (J2).
  const takesRuns = context.flags.has('async') ? 'none' : 'own';
  const typed = await startTypedSkills(settings, { log, hasBuiltin: true, search, store: COMMAND_LIMITS, takesRuns });
  if (!typed.ok) {
    line.end();
    return exitSaying(context, typed.failure, 1);
  }
  const { runtime, runs } = typed.value;
  for (const sentence of problemSentences(runtime)) line.interrupt(`${toOneLine(sentence)}\n`);
  try {
    return await invokeSkill({ runtime, runs }, context, { input: input.value, line });
  } finally {
    await typed.value.close();
    await close();
  }
}

/** The folders are looked through when a skill asks for it, which few do, and once: a plan asks for each part of its goal. */
function createSearch(line: WaitingLine): { readonly search: SearchSkills; readonly close: () => Promise<void> } {
  let opened: ReturnType<typeof openRepertoire> | undefined;
  return {
    search: async (query, limit, caller, { settings, runtime }) => {
      opened ??= openRepertoire(settings, runtime, line);
      return await (await opened).repertoire.search(query, limit, caller);
    },
    // One that could not be opened has failed the search already.
    close: async () =>
      await opened?.then(
        ({ catalog }) => catalog.close(),
        () => undefined,
      ),
  };
}

async function openRepertoire(settings: Settings, runtime: Runtime, line: WaitingLine) {
  const catalog = await startCatalog(settings, { log: () => {}, watch: false });
  for (const root of findBadRoots(catalog, settings)) line.interrupt(`Warning: ${badRootText(root)}\n`);
  const visibility = resolveVisibility(settings);
  if (!visibility.ok) throw new Error(visibility.failure);
  return { catalog, repertoire: createKeptRepertoire(catalog, { runtime }, { visibility: visibility.value }) };
}

function openStandardInput(errors: Output): NodeJS.ReadStream {
  if (process.stdin.isTTY && errors.isTerminal) errors.write(errors.paint.dim('Type the input, then press Ctrl-D.\n'));
  return process.stdin;
}

type Wanted = Pick<CommandContext, 'operands' | 'values' | 'flags' | 'settings' | 'output' | 'errors' | 'stopSignal'>;

interface Run {
  readonly input: unknown;
  readonly line: WaitingLine;
}

/** What a command invokes with. */
interface Invoker {
  readonly runtime: Runtime;
  readonly runs?: Runs | undefined;
}

export async function invokeSkill({ runtime, runs }: Invoker, context: Wanted, run: Run): Promise<ExitCode> {
  const { settings, values } = context;
  const { input, line } = run;
  const stop = runs?.subscribe((id) => void showProgress(id, runs, line));
  const invoked = await invokeOrRun(
    { runtime, runs },
    {
      name: context.operands[0] ?? '',
      input,
      caller: callerOf(settings.agent),
      correlationId: values.get('correlation-id')?.[0],
      idempotencyKey: values.get('idempotency-key')?.[0],
      waitMs: waitMsOf(runtime, context),
      signal: context.stopSignal(),
      onProgress: line.update,
    },
  );
  stop?.();
  line.end();
  return invoked.kind === 'accepted' ? sayAccepted(invoked.run, context) : sayAnswer(invoked.answer, runtime, context);
}

/** What is not durable is waited for, as over HTTP (J2). */
function waitMsOf(runtime: Runtime, { flags, values, operands }: Wanted): number | undefined {
  if (!flags.has('async') || runtime.find(operands[0] ?? '')?.durable === undefined) return undefined;
  return Number(values.get('wait')?.[0] ?? 0) * 1_000;
}

async function showProgress(id: string, runs: Runs, line: WaitingLine): Promise<void> {
  const found = await runs.find(id, LOCAL_OPERATOR).catch(() => undefined);
  if (found?.progress !== undefined && found.result === undefined) line.update(found.progress);
}

/** It has not ended: the answer is where to look for it. */
function sayAccepted({ invocation, approval }: StoredRun, context: Wanted): ExitCode {
  const { id, status, correlationId } = invocation;
  const { flags, output, errors } = context;
  if (flags.has('json')) output.write(toJsonText({ invocation_id: id, status, correlation_id: correlationId }));
  else output.write(`${id}\n`);
  const whatNow =
    approval?.state === 'waiting' ? 'a person has to approve it' : 'a server that uses this store carries it out';
  saySentence(errors, `The run is stored and has not ended: ${whatNow}; see \`repertoire runs show ${id}\``);
  return 0;
}

function sayAnswer(answer: SkillAnswer, runtime: Runtime, context: Wanted): ExitCode {
  if (context.flags.has('json')) context.output.write(toJsonText(answerJson(answer)));
  else if (answer.success) context.output.write(outputText(answer.outputPayload, context.output));
  if (answer.success) return 0;
  saySentence(context.errors, explainFailure(answer, adviceFor(answer, runtime, context)));
  return 1;
}

/** What is wrong with the options that are about waiting. */
const findWaitFault = ({ flags, values }: Pick<CommandContext, 'flags' | 'values'>): string | undefined =>
  values.has('wait') && !flags.has('async')
    ? 'Option --wait works only with --async: add it, or leave --wait out'
    : undefined;

const outputText = (payload: unknown, { isTerminal }: Output): string =>
  isTerminal ? toJsonText(payload) : toJsonLine(payload);

/** `CODE: message. Suggested action` */
function explainFailure(answer: Failed & Pick<SkillAnswer, 'correlationId'>, advice: string | undefined): string {
  const { code, message, details } = answer.failure;
  if (details?.cancelled === true) return `${code}: The invocation was cancelled. Run it again if you still need it`;
  const { suggestedAction } = FAILURE_MODES[code];
  // The action asks for the id: here it is.
  const action = code === 'INTERNAL_ERROR' ? `${suggestedAction} ${answer.correlationId}` : suggestedAction;
  return `${code}: ${message.replace(/\.$/, '')}. ${action}${advice === undefined ? '' : `: ${advice}`}`;
}

const MOST_NAMES = 10;

/** What to do in this case; `undefined` when the suggested action says all. */
function adviceFor({ failure }: Failed, runtime: Runtime, { operands, values, settings }: Wanted): string | undefined {
  const name = operands[0] ?? '';
  const skill = runtime.find(name);
  if (skill === undefined) return adviceForName(name, runtime, settings);
  const id = values.get('correlation-id')?.[0];
  if (failure.code !== 'VALIDATION_ERROR' || id === undefined || isUuid(id)) return undefined;
  return `a correlation id looks like ${EXAMPLE_ID}; leave the option out to get a new one`;
}

const EXAMPLE_ID = '5f0c3a52-9d1e-4b7a-8c66-2e1f0d9b7a34';

function adviceForName(name: string, runtime: Runtime, settings: Pick<Settings, 'agent' | 'configFile'>): string {
  const names = shownSkills(runtime, settings).map((skill) => skill.name);
  const near = findNearest(name, names, 3);
  if (near.length > 0) return `did you mean ${orList(near)}?`;
  if (names.length === 0 && settings.agent !== undefined)
    return `the agent "${toOneLine(settings.agent, 64)}" may invoke none`;
  if (settings.configFile === undefined) return 'add the file that defines the skill with --config FILE';
  if (names.length === 0) return 'the --config file defines no usable skill';
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return `there are ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}

/** What the person who waits sees of a run. */
interface WaitingLine {
  update(progress: SkillProgress): void;
  /** Writes something else in its place. */
  interrupt(text: string): void;
  end(): void;
}

export function createWaitingLine(name: string, errors: Output): WaitingLine {
  const progress = startProgress(errors, Date.now);
  let text = `Running ${toOneLine(name)}…`;
  const show = () => progress.update(cutToWidth(text, errors.columns - 1));
  const timer = setInterval(show, SHOW_EVERY_MS).unref();
  return {
    update(reported) {
      text = `${toOneLine(name)}: ${progressText(reported)}`;
      show();
    },
    interrupt(other) {
      progress.end();
      errors.write(other);
    },
    end() {
      clearInterval(timer);
      progress.end();
    },
  };
}

function progressText({ done, total, message }: SkillProgress): string {
  const share = total === undefined ? String(done) : `${done}/${total}`;
  return message === undefined ? share : `${share} ${toOneLine(message)}`;
}
