// Credentials are known by their look, and innocent texts stay (T9).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scrubShapes } from './credentials.ts';

// Put together here, so that no scanner takes this file for a leak.
const tail = 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8';

const hex = '9f3c1a7be04d25886fa1b3c7d2e5f809'.repeat(2);

/** Made up, but of the form in which they are given out. */
const CREDENTIALS = {
  'an OpenAI key': `sk-${tail.slice(0, 20)}T3BlbkFJ${tail.slice(0, 20)}`,
  'an OpenAI key of a project': `sk-proj-aB3-xY_9q${tail}_${tail}-T3BlbkFJ${tail}`,
  'an Anthropic key': `sk-ant-api03-Zq_${tail}-${tail}AA`,
  'an OpenRouter key': `sk-or-v1-${hex}`,
  'a key of 32 hex digits': `sk-${hex.slice(0, 32)}`,
  'a key of 22 letters': 'sk-kPq7ZtW_w0LmnBvXa3hRcQ',
  'a Langfuse key': 'sk-lf-1c2d3e4f-0000-4000-8000-446655440000',
  'a Stripe key': `sk_live_${tail.slice(0, 24)}`,
  'a restricted Stripe key': `rk_test_51${tail}`,
  'a GitHub token': `ghp_${tail}`,
  'a fine-grained GitHub token': `github_pat_11${tail.slice(0, 20)}_${tail}`,
  'a GitLab token': `glpat-xY_9q-${tail.slice(0, 14)}`,
  'a Slack token': `xoxb-123456789012-${tail.slice(0, 24)}`,
  'an AWS key': 'AKIAIOSFODNN7EXAMPLE',
  'an AWS key with any digits': `AKIA${'1890ABCDEF234567'}`,
  'a temporary AWS key': 'ASIAQWERTZUIOPASDFGH',
  'a Google key': `AIzaSy${tail.slice(0, 33)}`,
  'an npm token': `npm_${tail}`,
  'a Hugging Face token': `hf_${tail.slice(0, 34)}`,
  'a token of an agent': `rpa_${tail}`,
  'a web token': `eyJ${tail}.${tail}.${tail}`,
  'a Bearer header': 'Bearer mF_9.B5f-4.1JqM',
  'a bearer header': 'bearer abcdefgh12345678',
  'a header of letters': `Bearer ${'abcdefgh'.repeat(3)}`,
  'a Basic header': `Basic ${Buffer.from('user:hunter2').toString('base64')}`,
  'a basic header': `basic ${Buffer.from('ü:p').toString('base64url')}AAAA`,
} as const;

const INNOCENT = [
  'sk-SK-2024-0001',
  'sk-SK-2024-0001-invoice-Draft-final',
  'docs/sk-SK/sk-learn-Regression-Tutorial-2024.md',
  'pk-2026-11-16-annual-report-V2',
  'sk-internationalization-guide-2',
  'sk-k8s-i18n-l10n-sha256sum-base64url',
  'sk-20261116T120000Z',
  'rk_total_requests_per_second_2xx',
  'Bearer authentication',
  'Bearer authentication, as in RFC 6750',
  'Bearer token-based authorization',
  'Bearer resource_metadata="https://h/x"',
  'the bearer authentication-scheme',
  'Basic JavaScript tutorial',
  'Basic TypeScript for PostgreSQL users',
  'Basic authentication over HTTP/1.1',
  'Basic HTTP/1.1',
  'ASIAPACIFICREGION',
  'ASIAPACIFICREGIONALOFFICE2',
  'postgres://USER:PASSWORD@HOST/NAME',
  'postgres://USER:PASSWORD@HOST:5432/DATABASE',
  'mysql://<user>:<password>@host/db',
  'https://user:$TOKEN@host/x',
  'https://user:***@host/x',
  'ghs_internal_counter_total_of_requests',
  'github_pat_rotation_guide_for_teams',
  'glpat-rotation-guide-for-teams',
  'rpa_robotic_process_automation_guide',
  'xoxb-tokens-explained',
  'https://example.com:8080/a/b@c',
  'http://127.0.0.1:8080@1f0c2ab',
  'http://[::1]:65535@0123456/skills/pdf/SKILL.md',
  'https://skills.example.com:8443@abcdef0: the commit is gone',
];

const jsonEscaped = (text: string) =>
  text.replace(/[_-]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
const percentEncoded = (text: string) =>
  encodeURIComponent(text).replace(/[_-]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

describe('scrubShapes()', () => {
  test.each(Object.entries(CREDENTIALS))('%s is found (T9)', (_what, credential) => {
    for (const [before, after] of [
      ['before ', ' after'],
      ['("', '")'],
      ['/x/', '/y'],
      ['my_', '.'],
    ]) {
      if (before?.match(/[_/]/) && /^(eyJ|bearer|basic)/i.test(credential)) continue;
      expect(scrubShapes(`${before}${credential}${after}`)).toBe(`${before}[redacted]${after}`);
    }
  });

  test.each(Object.entries(CREDENTIALS))('%s is found with codes for its signs (A12)', (_what, credential) => {
    const spellings = [
      percentEncoded(credential),
      encodeURIComponent(percentEncoded(credential)),
      jsonEscaped(credential),
      JSON.stringify(jsonEscaped(credential)).slice(1, -1),
    ];
    for (const spelt of spellings) {
      expect(scrubShapes(`first line\nbefore ${spelt} after`)).toBe('first line\nbefore [redacted] after');
    }
  });

  test.each(INNOCENT)('%j stays (T9)', (text) => {
    expect(scrubShapes(text)).toBe(text);
    expect(scrubShapes(`see ${text}, or /x/${text}`)).toBe(`see ${text}, or /x/${text}`);
    expect(scrubShapes(encodeURIComponent(text))).toBe(encodeURIComponent(text));
  });

  test('a password with a sign that should have been encoded goes whole (T9)', () => {
    expect(scrubShapes('postgres://me:p@ss:w#rd@db.example/x')).toBe('postgres://me:[redacted]@db.example/x');
  });

  test.each([
    '12345@db.example',
    '12345@abcdef01',
    '12345@abcdef0.example',
    '123456@abcdef0',
    'a1@abcdef0',
    '1@ABCDEF0',
    '1@abcdef0:5432',
  ])('what is no port and commit of a source is a password: %s (T9)', (rest) => {
    const [password = '', host = ''] = rest.split('@');
    expect(scrubShapes(`https://me:${password}@${host}/x`)).toBe(`https://me:[redacted]@${host}/x`);
    expect(scrubShapes('postgres://me:12345@abcdef0/x')).toBe('postgres://me:[redacted]@abcdef0/x');
  });

  test('a password that begins like a port and a commit is one (T9)', () => {
    expect(scrubShapes('https://me:1@abcdef0@db.example/x')).toBe('https://me:[redacted]@db.example/x');
    expect(scrubShapes('https://me:1@abcdef0!w#rd@db.example/x')).toBe('https://me:[redacted]@db.example/x');
  });

  test('a credential is found behind any number of beginnings of one (T9)', () => {
    for (const piece of ['rpo_', 'sk-', 'glpat-', 'xoxb-', 'ghp_', 'sk_aaaa-', 'rpa_words-']) {
      const before = piece.repeat(5_000);
      const scrubbed = scrubShapes(`${before}ghp_${tail}, sk-learn`);
      expect([scrubbed.endsWith('[redacted], sk-learn'), scrubbed.includes(tail)]).toEqual([true, false]);
      expect(scrubShapes(`${before} glpat-guide`) === `${before} glpat-guide`).toBe(true);
    }
  });

  test('of several, each goes, and the words between stay (T9)', () => {
    const header = `Bearer ${tail}`;
    const text = `a ${header} b ghp_${tail} c postgres://me:${tail}@db d eyJ${tail}.${tail}.x e`;
    expect(scrubShapes(text)).toBe('a [redacted] b [redacted] c postgres://me:[redacted]@db d [redacted] e');
  });

  test('a field called like a secret is found in the value of another (T9)', () => {
    expect(scrubShapes('next=/a?token=hunter2&x=1')).toBe('next=/a?token=[redacted]&x=1');
    expect(scrubShapes('a=b=c, x==token, token= and token==')).toBe('a=b=c, x==token, token= and token=[redacted]');
  });

  test('a credential is nowhere in what is shown, whatever stands around it (T9)', () => {
    const around = fc.string({ maxLength: 40 }).map((text) => text.replace(/[\w-]/g, '/'));
    fc.assert(
      fc.property(around, around, fc.constantFrom('ghp_', 'rpa_', 'rpo_', 'sk-', 'glpat-'), (before, after, prefix) => {
        expect(scrubShapes(`${before} ${prefix}${tail}${after}`)).not.toContain(tail);
      }),
    );
  });
});
