// The tokens that we make ourselves, and the digest that is kept of one instead of it (H5).
import { hash, randomBytes } from 'node:crypto';

/** 256 random bits. */
const RANDOM_BYTES = 32;

export const createOperatorToken = (): string => `rpo_${randomText()}`;

export const createAgentToken = (): string => `rpa_${randomText()}`;

/** As `createAgentToken` makes them: whatever else begins like one needs no look into the store. */
export const AGENT_TOKEN = /^rpa_[\w-]{43}$/;

/** What nobody guesses: for keys, and for names that nobody else takes. */
export const randomText = (): string => randomBytes(RANDOM_BYTES).toString('base64url');

/**
 * SHA-256 as hexadecimal digits. A slow, salted hash protects what people think up; nobody guesses 256 random bits, and
 * this runs before every request.
 */
export const digestOf = (token: string): string => hash('sha256', token);
