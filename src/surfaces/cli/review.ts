// `repertoire review`: what waits for a decision, what it changes, and deciding (L2, L3).
import { compareVersions } from '../../library/compare-versions.ts';
import type { Version } from '../../library/library.ts';
import { approveVersion, rejectVersion } from '../../operations/library-decisions.ts';
import { actorFor, diffJson, versionJson } from '../../operations/library-json.ts';
import { ask, refusalText } from '../../operations/operation.ts';
import { counted } from '../../text/counted.ts';
import { orList } from '../../text/nearest.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine } from './hint-line.ts';
import { findNamedVersion, parseVersionName } from './library-version.ts';
import { type Store, withStore } from './open-store.ts';
import { renderDiff, renderWaiting, waitingLines } from './render-library.ts';
import { isSkillAction, runOnSkill, SKILL_ACTIONS } from './review-skill.ts';
import { LOCALLY } from './rights-options.ts';
import { exitSaying, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';

const ACTIONS = ['show', 'approve', 'reject', 'policy', ...SKILL_ACTIONS] as const;
const EXPLAINED: readonly string[] = ['approve', 'reject', 'rollback'];
const ASKED: readonly string[] = ['withdraw', 'delete'];

export async function run(context: CommandContext): Promise<ExitCode> {
  const [action, operand, stranger] = context.operands;
  if (stranger !== undefined) return exitSaying(context, `Unexpected argument "${toOneLine(stranger)}"`, 2);
  if (action === undefined) return withStore(context, (store) => list(store, context));
  if (!ACTIONS.some((each) => each === action))
    return exitSaying(context, `Unknown action "${toOneLine(action)}": use ${orList([...ACTIONS])}`, 2);
  if (context.values.has('message') && !EXPLAINED.includes(action))
    return exitSaying(context, 'Option --message is for "review approve", "review reject" and "review rollback"', 2);
  if (context.flags.has('yes') && !ASKED.includes(action))
    return exitSaying(context, 'Option --yes is for "review withdraw" and "review delete"', 2);
  if (isSkillAction(action)) return runOnSkill(action, operand, context);
  if (action === 'policy') return runPolicy(operand, context);
  if (operand === undefined || parseVersionName(operand).digest === undefined)
    return exitSaying(
      context,
      `Command "review ${action}" needs NAME@DIGEST: ${hintLine(context, ['review'])} shows them`,
      2,
    );
  return withStore(context, (store) => onVersion(store, action, operand, context));
}

async function list({ library }: Store, { flags, output, errors }: CommandContext): Promise<ExitCode> {
  const names = (await library.list()).filter(({ proposed }) => proposed.length > 0).map(({ name }) => name);
  const waiting: Version[] = [];
  for (const name of names)
    waiting.push(...(await library.versions(name)).filter(({ state }) => state === 'proposed').reverse());
  if (flags.has('json'))
    output.write(toJsonText({ review: await library.policy(), waiting: waiting.map(versionJson) }));
  else if (waiting.length === 0) saySentence(errors, 'Nothing waits for review.');
  else output.write(output.isTerminal ? renderWaiting(waiting, output) : waitingLines(waiting));
  return 0;
}

async function runPolicy(given: string | undefined, context: CommandContext): Promise<ExitCode> {
  if (given !== undefined && given !== 'off' && given !== 'on')
    return exitSaying(context, `Unknown policy "${toOneLine(given)}": use off or on`, 2);
  return withStore(context, async ({ library }) => {
    if (given !== undefined) await library.setPolicy(given, actorFor(LOCALLY.caller));
    const review = await library.policy();
    if (context.flags.has('json')) context.output.write(toJsonText({ review }));
    else context.output.write(`review ${review}\n`);
    return 0;
  });
}

async function onVersion(store: Store, action: string, given: string, context: CommandContext): Promise<ExitCode> {
  const { library } = store;
  const { name, digest = '' } = parseVersionName(given);
  const versions = await library.versions(name);
  const version = findNamedVersion(versions, digest);
  if (version === undefined)
    return exitSaying(
      context,
      `Cannot find the version "${toOneLine(given, 120)}": see ${hintLine(context, ['review'])}`,
      1,
    );
  if (action === 'show') return show(store, version, versions, context);
  const [message = ''] = context.values.get('message') ?? [];
  const isApproved = action === 'approve';
  const operation = isApproved ? approveVersion : rejectVersion;
  const decided = await ask(operation, { name, digest: version.digest, message }, LOCALLY, { library });
  if (!decided.ok)
    return exitSaying(context, `Cannot ${action} ${name}@${version.digest}: ${refusalText(decided.failure)}`, 1);
  if (context.flags.has('json')) context.output.write(toJsonText(decided.value));
  else context.output.write(`${name}@${version.digest} is ${isApproved ? 'approved, and served now' : 'rejected'}\n`);
  return 0;
}

/** Beside what is served; where nothing is, beside what it was made from. */
async function show(
  { library }: Store,
  version: Version,
  versions: readonly Version[],
  { flags, output, errors }: CommandContext,
): Promise<ExitCode> {
  const before =
    versions.find(({ isCurrent, digest }) => isCurrent && digest !== version.digest) ??
    versions.find(({ digest }) => digest === version.base);
  const comparison = await compareVersions(before, version, library);
  const diff = diffJson(version.name, before?.digest ?? null, version.digest, comparison);
  if (flags.has('json')) output.write(toJsonText({ version: versionJson(version), diff }));
  else {
    output.write(renderDiff(version, diff, output));
    if (diff.findings.length > 0)
      saySentence(errors, `${counted(diff.findings.length, 'new finding')}: look before you approve`);
  }
  return 0;
}
