// Credentials are known by their look, fields by their name, and innocent texts stay (T9, X1).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSecretName, scrubShapes } from './credentials.ts';

// Put together here, so that no scanner takes this file for a leak.
const tail = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';

describe('scrubShapes()', () => {
  test('a credential is nowhere in what is shown, whatever stands around it (T9)', () => {
    const around = fc.string({ maxLength: 40 }).map((text) => text.replace(/[\w-]/g, '/'));
    fc.assert(
      fc.property(around, around, fc.constantFrom('ghp_', 'rpa_', 'rpo_', 'sk-', 'glpat-'), (before, after, prefix) => {
        expect(scrubShapes(`${before} ${prefix}${tail}${after}`)).not.toContain(tail);
      }),
    );
  });
});

describe('isSecretName()', () => {
  test.each(
    'password Password PASSWORD passWord user_password dbPassword api_key apiKey APIKey API_KEY x-api-key apikey secret client_secret clientSecret token access_token accessToken X-Auth-Token authorization Proxy-Authorization private_key credentials set-cookie passphrase password2'.split(
      ' ',
    ),
  )('%s is one (X1)', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test.each(
    'token_count max_tokens maxTokens tokens tokenizer passwordless password_length passwordHint secretary key keyword author authorization_url name cookies_accepted monkey api_key_id token_type next_page_token pageToken nextToken continuationToken continuation-token cursor_token csrf_token X-CSRF-Token xsrfToken'.split(
      ' ',
    ),
  )('%s is none (X1)', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});
