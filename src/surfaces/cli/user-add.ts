// `repertoire user add EMAIL`: a person who may sign in, made as `user_creation` makes one, and entered into the trail (N6, L5).

import type { UserStore } from '../../builtin/ports/user-store.ts';
import { createPasswords } from '../../builtin/users/passwords.ts';
import { userCreation } from '../../builtin/users/user-creation.ts';
import type { PeopleStore } from '../../identity/people.ts';
import { StoreUnavailable } from '../../skills/record/invocation-log.ts';
import { createRuntime } from '../../skills/run/runtime.ts';
import { toOneLine } from '../../text/one-line.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext, ExitCode } from './command.ts';
import { hintLine } from './hint-line.ts';
import { withStore } from './open-store.ts';
import { LOCALLY } from './rights-options.ts';
import { askSecret, readSecretLine } from './terminal/ask-secret.ts';
import { exitSaying, saySentence } from './terminal/output.ts';
import { toJsonText } from './terminal/safe-text.ts';

/** The failure is the end of a sentence. */
export type ReadPassword = (context: CommandContext) => Promise<Result<string, string>>;

export async function run(context: CommandContext, read: ReadPassword = readPassword): Promise<ExitCode> {
  const [, email] = context.operands;
  if (email === undefined)
    return exitSaying(
      context,
      `Command "user add" needs an EMAIL: for example ${hintLine(context, ['user', 'add', 'ada@example.com'])}`,
      2,
    );
  const option = (['role', 'scope'] as const).find((name) => context.values.has(name));
  if (option !== undefined)
    return exitSaying(
      context,
      `Option --${option} does not apply to "user add": grant it afterwards with "user grant"`,
      2,
    );
  const shown = `"${toOneLine(email, 80)}"`;
  const password = await read(context);
  if (!password.ok) return exitSaying(context, `Cannot add ${shown}: ${password.failure}`, 2);
  return withStore(context, async ({ people }) => {
    const made = await createPerson(people, { email, password: password.value });
    if (!made.ok) return exitSaying(context, `Cannot add ${shown}: ${made.failure}`, 1);
    sayAdded(made.value, email, context);
    return 0;
  });
}

async function readPassword({ flags, output, errors }: CommandContext): Promise<Result<string, string>> {
  const isAsked = output.isTerminal && errors.isTerminal && process.stdin.isTTY && !flags.has('json');
  if (!isAsked) {
    const line = await readSecretLine(process.stdin);
    return line === undefined ? fail('no password came on standard input; send it as one line') : ok(line);
  }
  const first = await askSecret('Password, 8 to 128 characters: ');
  if (first === undefined || first === '') return fail('no password was typed');
  return (await askSecret('The same again: ')) === first ? ok(first) : fail('the two passwords differ');
}

interface NewPerson {
  readonly email: string;
  readonly password: string;
}

/**
 * What is refused, and how it is said, is the skill's business. The failure is the end of a sentence. Rejects when the store
 * is away: a skill's answer does not say why.
 */
async function createPerson(people: Pick<PeopleStore, 'add'>, input: NewPerson): Promise<Result<unknown, string>> {
  let away: StoreUnavailable | undefined;
  const create: UserStore['create'] = async (user) => {
    try {
      return await people.add(LOCALLY.caller.name, user);
    } catch (error) {
      if (error instanceof StoreUnavailable) away = error;
      throw error;
    }
  };
  const runtime = createRuntime({ skills: [userCreation({ create }, createPasswords(), () => new Date())] });
  const answer = await runtime.invoke({ name: 'user_creation', input, caller: LOCALLY.caller });
  await runtime.close();
  if (away !== undefined) throw away;
  return answer.success ? ok(answer.outputPayload) : fail(answer.failure.message);
}

function sayAdded(user: unknown, email: string, context: CommandContext): void {
  const { flags, output, errors } = context;
  if (flags.has('json')) {
    output.write(toJsonText(user));
    return;
  }
  const next = hintLine(context, ['user', 'grant', email, '--role', 'ROLE', '--scope', 'SCOPE']);
  saySentence(errors, `${toOneLine(email)} may sign in with this password, and may read documents. For more: ${next}`);
}
