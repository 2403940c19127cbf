// Answers that are kept, and how many.
import { expect, test } from 'vitest';
import { skillValue } from '../../../catalog/fixtures/found-folder-value.ts';
import { PreparedResults } from './prepared-results.ts';

/** Counts how often an answer of that size was made. */
function createMaker(size = 0) {
  const maker = {
    made: 0,
    make: () => {
      maker.made += 1;
      return { made: maker.made, text: 'x'.repeat(size) };
    },
  };
  return maker;
}

const text = (answer: { readonly bytes: Buffer }) => JSON.parse(answer.bytes.toString('utf8'));

test('an answer is made once for a skill, and anew for its next state', () => {
  const answers = new PreparedResults();
  const skill = skillValue('a');
  const { make } = createMaker();
  expect(text(answers.get('kind', skill, make))).toMatchObject({ made: 1 });
  expect(answers.get('kind', skill, make)).toBe(answers.get('kind', skill, make));
  expect(text(answers.get('kind', { ...skill }, make))).toMatchObject({ made: 2 });
});

test('what is kept is bounded: the oldest goes first', () => {
  const answers = new PreparedResults();
  const skills = Array.from({ length: 6 }, (_, index) => skillValue(`s${index}`));
  const maker = createMaker(500_000);
  const [first] = skills.map((skill) => {
    answers.get('kind', skill, maker.make);
    return skill;
  });
  const last = skills.at(-1);
  if (first === undefined || last === undefined) throw new Error('there are six');
  answers.get('kind', last, maker.make);
  expect(maker.made).toBe(6);
  answers.get('kind', first, maker.make);
  expect(maker.made).toBe(7);
});

test('an answer that is larger than all that may be kept is given all the same', () => {
  const answers = new PreparedResults();
  const skill = skillValue('big');
  const { make } = createMaker(2_500_000);
  expect(text(answers.get('kind', skill, make)).made).toBe(1);
  expect(text(answers.get('kind', skill, make)).made).toBe(2);
  // And the books are right afterwards: small ones are still kept.
  const small = skillValue('small');
  expect(answers.get('kind', small, () => ({ a: 1 }))).toBe(answers.get('kind', small, () => ({ a: 2 })));
});

test('another kind of answer about the same skill is kept apart', () => {
  const answers = new PreparedResults();
  const skill = skillValue('a');
  expect(text(answers.get('local', skill, () => ({ a: 1 })))).toEqual({ a: 1 });
  expect(text(answers.get('remote', skill, () => ({ a: 2 })))).toEqual({ a: 2 });
  expect(text(answers.get('local', skill, () => ({ a: 3 })))).toEqual({ a: 1 });
});
