// What the doctor concludes from a catalog and a machine.
import { describe, expect, test } from 'vitest';
import type { RootStatus } from '../../catalog/catalog.ts';
import { createDoctorReport, hasErrors } from './doctor-report.ts';
import { exampleProblem, exampleRoot, exampleSkill, exampleSnapshot } from './fixtures/example-values.ts';

const machine = { nodeVersion: '20.20.2', platform: 'linux', maxWatches: 65_536 };

function report(roots: readonly RootStatus[], snapshot = exampleSnapshot([], []), facts = machine) {
  return createDoctorReport({ current: snapshot, roots }, { version: '1.2.3', machine: facts, typed: undefined });
}

describe('createDoctorReport', () => {
  test('has nothing to say about a machine in order', () => {
    const healthy = report([exampleRoot({ watching: 'watched' })]);
    expect(healthy.issues).toEqual([]);
    expect(hasErrors(healthy)).toBe(false);
  });

  test('names the skills whose last good text is served (D8)', () => {
    const skills = [exampleSkill({ name: 'new' }), exampleSkill({ name: 'old', availability: 'fallback' })];
    expect(report([], exampleSnapshot(skills, [])).fallback).toEqual(['old']);
  });

  test('says that a polled folder is slow, and what to do', () => {
    const [issue] = report([exampleRoot({ watching: 'polled' })]).issues;
    expect(issue).toMatchObject({
      rule: 'polled',
      severity: 'warning',
      fix: expect.stringContaining('max_user_watches'),
    });
  });

  test('warns before watches run out', () => {
    const skills = Array.from({ length: 10 }, () => exampleSkill({}));
    const rules = (maxWatches: number) =>
      report([], exampleSnapshot(skills, []), { ...machine, maxWatches }).issues.map((issue) => issue.rule);
    expect(rules(59)).toEqual(['watch-limit-near']);
    expect(rules(60)).toEqual([]);
  });

  test.each([
    ['18.20.0', true],
    ['20.18.9', true],
    ['20.19.0', false],
    ['21.7.3', true],
    ['22.2.0', true],
    ['22.3.0', false],
    ['24.0.0', false],
  ])('on Node %s an error is: %s', (nodeVersion, expected) => {
    expect(hasErrors(report([], undefined, { ...machine, nodeVersion }))).toBe(expected);
  });

  test('has errors when a skill has one, not when it has warnings only', () => {
    const withProblem = (severity: 'error' | 'warning') => exampleSnapshot([], [exampleProblem({ severity })]);
    expect(hasErrors(report([], withProblem('error')))).toBe(true);
    expect(hasErrors(report([], withProblem('warning')))).toBe(false);
  });
});
