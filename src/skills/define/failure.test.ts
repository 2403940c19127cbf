// The failure table is the contract's, and its templates are filled without leaking or growing (X4).
import { describe, expect, test } from 'vitest';
import { FAILURE_CODES, FAILURE_MODES, failure, failureOf, findSkillFailure } from './failure.ts';

describe('FAILURE_MODES (X4)', () => {
  test('has the eight codes of the contract', () => {
    expect(FAILURE_CODES).toEqual([
      'VALIDATION_ERROR',
      'NOT_FOUND',
      'UNAUTHORIZED',
      'RATE_EXCEEDED',
      'TIMEOUT',
      'PERSISTENCE_ERROR',
      'EXTERNAL_SERVICE_ERROR',
      'INTERNAL_ERROR',
    ]);
  });

  test.each(FAILURE_CODES)('%s keeps its texts within 200 characters', (code) => {
    expect(FAILURE_MODES[code].template.length).toBeLessThanOrEqual(200);
    expect(FAILURE_MODES[code].suggestedAction.length).toBeLessThanOrEqual(200);
  });
});

describe('failureOf (X4)', () => {
  test('fills the template and keeps the parameters as details', () => {
    expect(failureOf('RATE_EXCEEDED', { retry_after: 3 })).toEqual({
      code: 'RATE_EXCEEDED',
      message: 'Rate limit exceeded. Retry after 3s',
      details: { retry_after: 3 },
    });
    expect(failureOf('VALIDATION_ERROR', { details: 'n: is required' })).toEqual({
      code: 'VALIDATION_ERROR',
      message: 'Input validation failed: n: is required',
      details: undefined,
    });
  });

  test('the text of a VALIDATION_ERROR is the message; everything else is kept, whatever it is called (X3)', () => {
    const said = failureOf('VALIDATION_ERROR', { details: 'n: is required', field: 'n' });
    expect(said.details).toEqual({ field: 'n' });
    expect(failureOf('NOT_FOUND', { resource: 'task 5', details: 'archived' }).details).toEqual({
      resource: 'task 5',
      details: 'archived',
    });
    expect(failureOf('INTERNAL_ERROR', { details: { step: 2 } }).details).toEqual({ details: { step: 2 } });
    // Untyped code: the message cannot say it.
    const unsaid = failureOf('VALIDATION_ERROR', { details: { n: 'is required' } as unknown as string });
    expect(unsaid).toMatchObject({
      message: 'Input validation failed: unspecified',
      details: { details: { n: 'is required' } },
    });
    expect(failureOf('VALIDATION_ERROR', { details: undefined as unknown as string }).details).toBeUndefined();
  });

  test('stays readable whatever it is given', () => {
    const long = failureOf('NOT_FOUND', { resource: 'x'.repeat(10_000) });
    expect(long.message.length).toBeLessThanOrEqual(2_000);
    expect(failureOf('NOT_FOUND', { resource: {} as string }).message).toBe('Resource not found: unspecified');
  });
});

describe('failure', () => {
  test('is a plain value that survives a thread', () => {
    const sent = structuredClone(failure('NOT_FOUND', { resource: 'task 5', hint: 'list first' }));
    expect(findSkillFailure(sent)).toEqual({
      ok: true,
      value: {
        code: 'NOT_FOUND',
        message: 'Resource not found: task 5',
        details: { resource: 'task 5', hint: 'list first' },
      },
    });
  });

  test('is told apart from outputs', () => {
    for (const output of [undefined, null, 'failure', { failure: 'NOT_FOUND' }, [], { code: 'NOT_FOUND' }]) {
      expect(findSkillFailure(output)).toBeUndefined();
    }
  });

  test('with an unknown code is told apart from a good one, whatever its parameters are', () => {
    expect(findSkillFailure({ 'repertoire/failure': 'constructor' })).toEqual({ ok: false, failure: 'constructor' });
    const found = findSkillFailure({ 'repertoire/failure': 'NOT_FOUND', parameters: null });
    expect(found).toMatchObject({ ok: true, value: { code: 'NOT_FOUND' } });
  });
});
