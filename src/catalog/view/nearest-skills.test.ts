// Which names are offered for one that does not exist.
import { expect, test } from 'vitest';
import { skillValue } from '../fixtures/found-folder-value.ts';
import { nearestSkills } from './nearest-skills.ts';

const SKILLS = ['csv-export', 'deploy', 'pdf-forms', 'pdf-merge', 'Release Notes', 'spreadsheet'].map((name) =>
  skillValue(name),
);
const nearest = (wanted: string, count: number) => nearestSkills(SKILLS, wanted, count).map(({ name }) => name);

test('the nearest names, in the order of the list', () => {
  expect(nearest('pdf', 2)).toEqual(['pdf-forms', 'pdf-merge']);
  expect(nearest('merge-pdfs', 2)).toEqual(['pdf-forms', 'pdf-merge']);
  expect(nearest('depoly', 1)).toEqual(['deploy']);
  expect(nearest('RELEASE NOTE', 1)).toEqual(['Release Notes']);
});

test('the first ones when nothing is near, and no more than there are', () => {
  expect(nearest('🎉', 2)).toEqual(['csv-export', 'deploy']);
  expect(nearest('pdf', 100)).toHaveLength(SKILLS.length);
  expect(nearestSkills([], 'pdf', 5)).toEqual([]);
});

test('of a very long request only the first 200 characters are looked at', () => {
  const nothing = '🎉'.repeat(100);
  expect(nearest(`${nothing}spreadsheet`, 1)).toEqual(['csv-export']);
  expect(nearest(`${nothing.slice(11)}spreadsheet`, 1)).toEqual(['spreadsheet']);
});
