// The operator's token in the data directory: made once, for its owner's eyes alone, whole or not at all (H5).
import { join } from 'node:path';
import { createOperatorToken, operatorTokenFault } from '../identity/token.ts';
import { fail, ok, type Result } from '../values/result.ts';
import { addSecret, MOVE, readSecret, replaceSecret, withSecretFile } from './secret-file.ts';

export interface OperatorToken {
  readonly token: string;
  /** A sentence about what was fixed. */
  readonly warning: string | undefined;
}

export interface OperatorTokenSource {
  /** Absolute; made when it is not there. */
  readonly dataDirectory: string;
  /** `REPERTOIRE_OPERATOR_TOKEN`, the same for several servers: no file is looked at. */
  readonly operatorToken: string | undefined;
}

export const TOKEN_FILE = 'operator-token';
const WORDS = { what: 'the operator token', file: TOKEN_FILE, variable: 'REPERTOIRE_OPERATOR_TOKEN' } as const;

/** The existing token, or a new one. Processes that start at the same time all get the same. */
export function openOperatorToken(source: OperatorTokenSource): Result<OperatorToken, string> {
  if (source.operatorToken !== undefined) return given(source.operatorToken);
  const path = pathIn(source);
  return withSecretFile(WORDS, () => {
    addSecret(path, createOperatorToken);
    return readToken(path);
  });
}

/** The existing token, as far as it can be read: none is made. */
export function findOperatorToken(source: OperatorTokenSource): string | undefined {
  if (source.operatorToken !== undefined) return source.operatorToken;
  const found = withSecretFile(WORDS, () => readToken(pathIn(source)));
  return found.ok ? found.value.token : undefined;
}

/** Why no new one can be made, whatever the disk says; `undefined` when one can. */
export const findRotationFault = ({ operatorToken }: Pick<OperatorTokenSource, 'operatorToken'>): string | undefined =>
  operatorToken === undefined
    ? undefined
    : 'Cannot make a new operator token: REPERTOIRE_OPERATOR_TOKEN sets it; change that variable where the server is started';

/** A new token in place of the existing one, valid or not. */
export function rotateOperatorToken(source: OperatorTokenSource): Result<OperatorToken, string> {
  const fault = findRotationFault(source);
  if (fault !== undefined) return fail(fault);
  const path = pathIn(source);
  return withSecretFile(WORDS, () => {
    replaceSecret(path, createOperatorToken());
    return readToken(path);
  });
}

const pathIn = ({ dataDirectory }: OperatorTokenSource): string => join(dataDirectory, TOKEN_FILE);

function given(token: string): Result<OperatorToken, string> {
  const fault = operatorTokenFault(token);
  if (fault === undefined) return ok({ token, warning: undefined });
  return fail(`Cannot use REPERTOIRE_OPERATOR_TOKEN: ${fault}; set it to 32 or more random letters and digits`);
}

function readToken(path: string): Result<OperatorToken, string> {
  const secret = readSecret(path);
  if (secret === undefined)
    return fail(`Cannot use the operator token: ${TOKEN_FILE} in the data directory is no file; ${MOVE}`);
  const fault = operatorTokenFault(secret.text);
  if (fault !== undefined) return fail(`Cannot use the operator token in the data directory: ${fault}; ${RENEW}`);
  return ok({ token: secret.text, warning: secret.wasOpen ? CLOSED : undefined });
}

const RENEW = 'make a new one with `repertoire token --rotate`';
const CLOSED =
  'Others could read the operator token: its file is now for you alone; make a new token with `repertoire token --rotate`';
