// `repertoire token`: the operator's token, made when there is none yet; with --rotate a new one, entered into the trail (H5, L5).
import { findOperatorToken, openOperatorToken, rotateOperatorToken } from '../../app/store.ts';
import { LOCAL_OPERATOR } from '../../identity/caller.ts';
import { operatorKeyOf } from '../../identity/oauth-callers.ts';
import { digestOf } from '../../identity/token.ts';
import { actorOf } from '../../identity/trail.ts';
import { StoreUnavailable } from '../../skills/record/invocation-log.ts';
import { fail, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { inOwnWords } from './hint-line.ts';
import { type Store, withStore } from './open-store.ts';
import { exitSaying, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';

type Opened = Awaited<ReturnType<typeof openOperatorToken>>;

export async function run(context: CommandContext): Promise<ExitCode> {
  if (!context.flags.has('rotate')) return show(await openOperatorToken(context.settings), context);
  return withStore(context, async (store) => show(await rotate(store, context), context));
}

/** Refused where it cannot be entered: a new token without an entry could not be traced later (L5). */
async function rotate(store: Store, { settings }: CommandContext): Promise<Opened> {
  const former = await findOperatorToken(settings);
  try {
    const rotated = await rotateOperatorToken(settings, store, actorOf(LOCAL_OPERATOR));
    if (rotated.ok && former !== undefined) await endGrants(former, store);
    return rotated;
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return notEntered(error.message);
  }
}

/** What was allowed with the old token is refused already, because it is bound to that: this takes it out of the list (O7). */
async function endGrants(former: string, { oauth }: Store): Promise<void> {
  try {
    await oauth.endGrantsOf(operatorKeyOf(digestOf(former)), new Date());
  } catch (error) {
    // The token is a new one all the same; what is listed goes by itself when it expires.
    if (!(error instanceof StoreUnavailable)) throw error;
  }
}

const notEntered = (reason: string): Result<never, string> =>
  fail(`Cannot rotate the operator token: its entry in the trail cannot be written. ${reason}. ${WAY_OUT}`);

const WAY_OUT =
  'If it cannot wait, delete operator-token in the data directory and restart the server: it creates another one, without an entry';

function show(opened: Opened, context: CommandContext): ExitCode {
  const { flags, output, errors } = context;
  if (!opened.ok) return exitSaying(context, inOwnWords(context, opened.failure), 1);
  const { token, warning } = opened.value;
  if (warning !== undefined) saySentence(errors, inOwnWords(context, warning));
  output.write(flags.has('json') ? toJsonText({ token }) : `${token}\n`);
  if (flags.has('rotate') && output.isTerminal)
    saySentence(errors, 'Servers reject the old token within a second: give your clients the new one');
  return 0;
}
