// The fields of a user as the built-in skills take them, with their limits (B2, B5).
import { secret } from '../../skills/define/secret.ts';
import { limitedText } from '../kit/limited-text.ts';

/** As long as mail can be delivered. Only then is the pattern tried: on a long text it takes the square of its length. */
export const emailField = limitedText({ min: 1, max: 254 }).regex(/^[^@]+@[^@]+\.[^@]+$/, {
  error: 'must be an email address',
});

/** The same password typed on another keyboard is the same text. */
export const passwordField = secret(limitedText({ min: 8, max: 128 }).normalize('NFC'));

export const displayNameField = limitedText({ max: 100 });
