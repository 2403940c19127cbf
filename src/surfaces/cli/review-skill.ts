// `repertoire review versions|rollback|withdraw|delete`: what a whole skill of the library has, and what is served of it (L1, L3).
import { listVersions } from '../../operations/library.ts';
import { deleteSkill, discardVersion, rollBackSkill, withdrawSkill } from '../../operations/library-decisions.ts';
import { ask, refusalText } from '../../operations/operation.ts';
import { toOneLine } from '../../text/one-line.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { confirm } from './confirm-source.ts';
import { hintLine } from './hint-line.ts';
import { findNamedVersion, parseVersionName } from './library-version.ts';
import { type Store, withStore } from './open-store.ts';
import { renderVersions, versionLines } from './render-library.ts';
import { LOCALLY } from './rights-options.ts';
import { exitSaying } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';

interface Work {
  readonly store: Store;
  readonly name: string;
  /** As it was typed: it may be cut. */
  readonly digest: string;
  readonly context: CommandContext;
}

const ACTIONS = { versions, rollback, withdraw, delete: deleteSkillOrVersion } as const;

export type SkillAction = keyof typeof ACTIONS;

export const SKILL_ACTIONS: readonly SkillAction[] = ['versions', 'rollback', 'withdraw', 'delete'];

export const isSkillAction = (text: string): text is SkillAction => Object.hasOwn(ACTIONS, text);

export async function runOnSkill(
  action: SkillAction,
  given: string | undefined,
  context: CommandContext,
): Promise<ExitCode> {
  const { name, digest } = parseVersionName(given ?? '');
  const isOfVersion = action === 'rollback';
  const isRight = action === 'delete' || (digest !== undefined) === isOfVersion;
  if (name === '' || !isRight) {
    const [wanted, line] = isOfVersion
      ? ['NAME@DIGEST', ['review', 'versions', name || 'NAME']]
      : ['NAME', ['review', action, name || 'refunds']];
    return exitSaying(context, `Command "review ${action}" needs ${wanted}: ${hintLine(context, line)}`, 2);
  }
  return withStore(context, (store) => ACTIONS[action]({ store, name, digest: digest ?? '', context }));
}

async function versions({ store, name, context }: Work): Promise<ExitCode> {
  const { flags, output } = context;
  const found = await ask(listVersions, { name }, LOCALLY, store);
  if (!found.ok) return exitSaying(context, `Cannot list the versions: ${refusalText(found.failure)}`, 1);
  const all = found.value.versions;
  if (flags.has('json')) output.write(toJsonText(found.value));
  else output.write(output.isTerminal ? renderVersions(all, output) : versionLines(all));
  return 0;
}

async function rollback({ store, name, digest, context }: Work): Promise<ExitCode> {
  const version = findNamedVersion(await store.library.versions(name), digest);
  if (version === undefined) return unknownVersion({ name, digest, context });
  const [message = ''] = context.values.get('message') ?? [];
  const done = await ask(rollBackSkill, { name, to: version.digest, message }, LOCALLY, store);
  const named = `${name}@${version.digest}`;
  if (!done.ok) return exitSaying(context, `Cannot roll back to ${named}: ${refusalText(done.failure)}`, 1);
  return told(context, done.value, `${named} is served again`);
}

async function withdraw({ store, name, context }: Work): Promise<ExitCode> {
  const stop = await confirm(context, `Serve no version of "${toOneLine(name)}" any more?`, `withdraw "${name}"`);
  if (stop !== undefined) return stop;
  const done = await ask(withdrawSkill, { name }, LOCALLY, store);
  if (!done.ok) return exitSaying(context, `Cannot withdraw "${name}": ${refusalText(done.failure)}`, 1);
  return told(context, done.value, `${name} is withdrawn: no version of it is served; its versions stay`);
}

async function deleteSkillOrVersion(work: Work): Promise<ExitCode> {
  const { store, name, digest, context } = work;
  if (digest !== '') return deleteVersion(work);
  const stop = await confirm(context, `Take "${toOneLine(name)}" out of the library?`, `delete "${name}"`);
  if (stop !== undefined) return stop;
  const done = await ask(deleteSkill, { name }, LOCALLY, store);
  if (!done.ok) return exitSaying(context, `Cannot delete "${name}": ${refusalText(done.failure)}`, 1);
  return told(context, done.value, `${name} is deleted; its versions stay readable by their digests`);
}

/** One that was never served: a typing error, a credential that must go. */
async function deleteVersion({ store, name, digest, context }: Work): Promise<ExitCode> {
  const version = findNamedVersion(await store.library.versions(name), digest);
  if (version === undefined) return unknownVersion({ name, digest, context });
  const named = `${name}@${version.digest}`;
  const stop = await confirm(context, `Delete ${named} for good?`, `delete "${named}"`);
  if (stop !== undefined) return stop;
  const done = await ask(discardVersion, { name, digest: version.digest }, LOCALLY, store);
  if (!done.ok) return exitSaying(context, `Cannot delete ${named}: ${refusalText(done.failure)}`, 1);
  return told(context, done.value, `${named} is deleted`);
}

function unknownVersion({ name, digest, context }: Omit<Work, 'store'>): ExitCode {
  const shown = toOneLine(`${name}@${digest}`, 120);
  const seen = hintLine(context, ['review', 'versions', name]);
  return exitSaying(context, `Cannot find the version "${shown}": see ${seen}`, 1);
}

function told({ flags, output }: CommandContext, answer: object, sentence: string): ExitCode {
  output.write(flags.has('json') ? toJsonText(answer) : `${toOneLine(sentence, 400)}\n`);
  return 0;
}
