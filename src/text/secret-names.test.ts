// Fields that hold secrets are known by their names (X1).
import { describe, expect, test } from 'vitest';
import { isSecretName } from './secret-names.ts';

describe('isSecretName()', () => {
  test.each(
    'password Password PASSWORD passWord user_password dbPassword api_key apiKey APIKey API_KEY x-api-key apikey secret client_secret clientSecret token access_token accessToken X-Auth-Token authorization Proxy-Authorization private_key credentials set-cookie passphrase password2 bearer otp totp access_tokens refreshTokens session_tokens'.split(
      ' ',
    ),
  )('%s is one (X1)', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test.each(
    'token_count max_tokens maxTokens tokens tokenizer passwordless password_length passwordHint secretary key keyword author authorization_url name cookies_accepted monkey api_key_id token_type next_page_token pageToken nextToken continuationToken continuation-token cursor_token csrf_token X-CSRF-Token xsrfToken pin bearer_name stop total_tokens'.split(
      ' ',
    ),
  )('%s is none (X1)', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});
