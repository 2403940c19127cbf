// What a host is to be connected to, from the options of `connect`: the command that starts this program, or a URL.

import { type Server, tokenVariable } from '../../hosts/connect/host-entry.ts';
import { fail, ok, type Result } from '../../values/result.ts';
import type { CommandContext } from './command.ts';
import { createServerCommand, givenIn } from './server-command.ts';

/** `undefined`: to nothing any more. */
export function findServer(context: CommandContext): Result<Server | undefined, string> {
  const { flags, values, environment, settings } = context;
  const url = values.get('http')?.[0];
  if (url === undefined && values.has('token'))
    return fail('Option --token needs --http: a program that is started needs no token');
  if (flags.has('remove')) return ok(undefined);
  if (url !== undefined) return findRemote(url, values.get('token')?.[0] ?? environment.variables[tokenVariable]);
  const [command = 'repertoire', ...args] = createServerCommand(context.program(), settings, givenIn(context));
  return ok({ command, args });
}

function findRemote(url: string, token: string | undefined): Result<Server, string> {
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !/^https?:$/.test(address.protocol)) {
    // The rest of it may hold a password.
    const shown = address === undefined ? '' : ` (${address.protocol})`;
    return fail(
      `Cannot connect to that address${shown}: it is not an http or https address; for example http://127.0.0.1:7337/mcp`,
    );
  }
  if (address.username !== '' || address.password !== '') {
    return fail('Cannot connect to that address: it holds a password; use --token instead');
  }
  if (token === undefined || token === '') return ok({ url, token: undefined });
  if (!/^[\x21-\x7e]+$/.test(token))
    return fail('Cannot use that token: it has blanks or other characters that no header takes');
  return ok({ url, token });
}
