// Rule secret-shape (T9; THREATS: secrets). Real shapes are put together here, so that none stands in the repository.
import { describe, expect, test } from 'vitest';
import { inspectText } from '../inspect.ts';

/** Characters that look drawn by a generator, the same every time. */
function drawn(length: number, alphabet = 'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3xJ6uL'): string {
  let state = 7;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    text += alphabet[(state >>> 16) % alphabet.length];
  }
  return text;
}

const secrets: readonly (readonly [kind: string, secret: string, severity: string])[] = [
  ['AWS access key id', `AKIA${'QX5ZT7YWJ2MR4KVN'}`, 'high'],
  ['GitHub token', `ghp${'_'}${drawn(36)}`, 'high'],
  ['GitHub fine-grained token', `github${'_pat_'}${drawn(22)}_${drawn(59)}`, 'high'],
  ['GitLab token', `glpat${'-'}${drawn(20)}`, 'high'],
  ['Anthropic API key', `sk${'-ant-'}api03-${drawn(80)}`, 'high'],
  ['OpenAI-style API key', `sk${'-proj-'}${drawn(48)}`, 'high'],
  ['Stripe live key', `sk${'_live_'}${drawn(24)}`, 'high'],
  ['Slack token', `xoxb${'-'}8316402957-6402957183-${drawn(24)}`, 'high'],
  ['Google API key', `AIza${''}${drawn(35)}`, 'high'],
  ['npm token', `npm${'_'}${drawn(36)}`, 'high'],
  ['Hugging Face token', `hf${'_'}${drawn(34)}`, 'high'],
  ['JSON Web Token', `eyJ${drawn(20)}.eyJ${drawn(40)}.${drawn(43)}`, 'medium'],
];

describe('secret-shape reports a credential and never repeats it (T9)', () => {
  test.each(secrets)('%s', (kind, secret, severity) => {
    const findings = inspectText(`# Set up\n\n\`\`\`\nexport KEY="${secret}"\n\`\`\`\n`);
    expect(findings).toMatchObject([{ rule: 'secret-shape', severity, line: 4 }]);
    expect(findings[0]?.message).toContain(kind);
    expect(findings[0]?.excerpt).toContain(`${secret.slice(0, 4)}…`);
    expect(JSON.stringify(findings)).not.toContain(secret.slice(0, 9));
    expect(JSON.stringify(findings)).not.toContain(secret.slice(-8));
  });

  test.each([
    ['on several lines', `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${drawn(64)}\n${drawn(64)}\n`],
    ['in a JSON string', `"key": "-----BEGIN ${'PRIVATE'} KEY-----\\n${drawn(64)}\\n${drawn(64)}\\n"`],
    ['of OpenSSH', `-----BEGIN OPENSSH ${'PRIVATE'} KEY-----\n${drawn(70)}\n`],
  ])('a private key %s', (_, text) => {
    const findings = inspectText(text);
    expect(findings).toMatchObject([{ rule: 'secret-shape', severity: 'high', line: 1 }]);
    expect(JSON.stringify(findings)).not.toContain(drawn(64).slice(4, 20));
  });
});

describe('secret-shape spares placeholders, hashes and ids', () => {
  test.each([
    ['OPENAI_API_KEY=sk-your-key-here'],
    ['ANTHROPIC_API_KEY=sk-ant-your-anthropic-api-key-goes-in-this-place'],
    ['token: ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
    ['token: ghp_000000000000000000000000000000000000'],
    ['token: ghp_1234567890abcdefghijklmnopqrstuvwxyz'],
    ['AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE'],
    ['AWS_ACCESS_KEY_ID=AKIAXXXXXXXXXXXXXXXX'],
    ['Authorization: Bearer <YOUR_TOKEN>'],
    [`Authorization: Bearer $${'{GITHUB_TOKEN}'}`],
    ['xoxb-your-bot-token-goes-here'],
    ['pip install sk-learn-pipeline-for-text-classification'],
    ['sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['id: 6f1c2f0e-8f0b-4b64-9d3e-2b7f6f1f9a10'],
    ['pattern: ghp_[A-Za-z0-9]{36}'],
    ['-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----'],
    ["rg 'BEGIN RSA PRIVATE KEY'"],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4ifQ.c2lnbmF0dXJlLW9mLXRoZS1zYW1wbGU'],
    [`task-${'sk-'}1a2b`],
  ])('%s', (text) => {
    expect(inspectText(text)).toEqual([]);
  });
});
