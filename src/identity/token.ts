// The tokens that we make ourselves, what an operator may choose as one, and the digest that is kept instead of it (H5).
import { hash, randomBytes } from 'node:crypto';

/** 256 random bits. */
const RANDOM_BYTES = 32;

export const createOperatorToken = (): string => `rpo_${randomText()}`;

export const createAgentToken = (): string => `rpa_${randomText()}`;

/** Of a client that was let in by OAuth: what it calls with, what it gets the next one with, and what it trades for both (O4). */
export const createAccessToken = (): string => `rpt_${randomText()}`;
export const createRefreshToken = (): string => `rpr_${randomText()}`;
export const createCode = (): string => `rpc_${randomText()}`;

export const ACCESS_TOKEN = /^rpt_[\w-]{43}$/;
export const REFRESH_TOKEN = /^rpr_[\w-]{43}$/;
export const CODE = /^rpc_[\w-]{43}$/;

/** As `createAgentToken` makes them: whatever else begins like one needs no look into the store. */
export const AGENT_TOKEN = /^rpa_[\w-]{43}$/;

/** Cannot be guessed: for keys, and for names that are taken once. */
export const randomText = (): string => randomBytes(RANDOM_BYTES).toString('base64url');

/**
 * SHA-256 as hexadecimal digits. A slow, salted hash protects what people think up; 256 random bits cannot be guessed, and
 * this runs before every request.
 */
export const digestOf = (token: string): string => hash('sha256', token);

/** What a bearer token may consist of (RFC 6750). */
const SHAPE = /^[A-Za-z0-9._~+/=-]+$/;
/** So long that it cannot be guessed if it was drawn at random. */
const LEAST = 32;
/** So short that every header has room for it. */
const MOST = 4_096;

/** No token of ours, of any kind, is shorter or longer: nothing else is worth a digest. */
export const isTokenSized = (text: string): boolean => text.length >= LEAST && text.length <= MOST;

/** Ends the sentence "Cannot use …: "; `undefined` when the text will do. */
export function operatorTokenFault(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (text.length < LEAST) return `it has fewer than ${LEAST} characters`;
  if (text.length > MOST) return `it has more than ${MOST} characters`;
  return SHAPE.test(text) ? undefined : 'it has other characters than letters, digits and . _ ~ + / = -';
}
