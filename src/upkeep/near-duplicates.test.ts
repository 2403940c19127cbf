import { expect, test } from 'vitest';
import { findNearDuplicates } from './near-duplicates.ts';

function find(texts: readonly string[]) {
  const steps = findNearDuplicates(texts);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Sentences of words that no other subject has. */
const section = (subject: string, from: number, count = 12): string =>
  Array.from(
    { length: count },
    (_, at) => `The ${subject} number ${from + at} goes to ${subject}${(from + at) * 7} first.`,
  ).join('\n');

const skill = (subject: string): readonly string[] => [
  section(subject, 0),
  section(subject, 50),
  section(subject, 100),
];
const SUBJECTS = ['invoice', 'migration', 'poster', 'contract', 'recipe', 'telescope', 'harbour', 'violin'];
const honest = SUBJECTS.map((subject) => skill(subject).join('\n'));

test('texts of their own are no duplicates', () => {
  expect(find(honest)).toEqual([]);
});

test.each([
  ['equal but for spaces and line ends', (text: string) => text.replaceAll('\n', ' \r\n\r\n')],
  ['another description', (text: string) => `Something else entirely, said in other words.\n${text}`],
  [
    'another order of sections',
    (text: string) =>
      skill(text.includes('poster') ? 'poster' : '')
        .toReversed()
        .join('\n'),
  ],
  ['a section added', (text: string) => `${text}\n${section('ours', 0, 15)}`],
  ['a section removed', (text: string) => text.slice(0, Math.floor((text.length * 2) / 3))],
  ['capitals and marks', (text: string) => text.toUpperCase().replaceAll('.', ' !')],
])('a copy is found: %s', (_edit, copy) => {
  const groups = find([...honest, copy(honest[2] as string)]);
  expect(groups.map(({ members }) => members)).toEqual([[2, SUBJECTS.length]]);
});

test('what all texts of a template share does not make them duplicates', () => {
  const template = section('template', 0, 40);
  expect(find(SUBJECTS.map((subject) => `${template}\n${section(subject, 0, 20)}`))).toEqual([]);
});

test('three copies are one group, with the similarity of its weakest pair', () => {
  const text = honest[0] as string;
  const groups = find([text, honest[1] as string, text, `${text}\n${section('more', 0, 4)}`]);
  expect(groups).toEqual([{ members: [0, 2, 3], similarity: expect.closeTo(1, 1) }]);
});

test('texts of a few words are duplicates only when they are equal', () => {
  expect(find(['Use tabs for tables here.', 'Use tabs for tables now.', 'Use tabs for tables here.'])).toEqual([
    { members: [0, 2], similarity: 1 },
  ]);
  expect(find(['', ''])).toEqual([]);
});
