// How many questions are asked, for whom, and who hears the answer.
import { beforeEach, expect, test } from 'vitest';
import { stopTime } from '../../tests/support/stopped-time.ts';
import { askTogether } from './ask-together.ts';

interface Question {
  readonly keys: readonly string[];
  readonly answer: () => void;
  readonly fail: () => void;
}

let questions: Question[];
let find: (key: string) => Promise<string | undefined>;
beforeEach(() => {
  questions = [];
  find = askTogether({
    ask: (keys) =>
      new Promise((resolve, reject) => {
        const answer = () => resolve(new Map(keys.filter((key) => key !== 'none').map((key) => [key, `${key}!`])));
        questions.push({ keys, answer, fail: () => reject(new Error('away')) });
      }),
    most: 3,
    atOnce: 2,
    patienceMs: 400,
  });
});

const asked = () => questions.map(({ keys }) => keys.join(' '));
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('one is asked at once; those that come meanwhile share the next question', async () => {
  const answers = Promise.all(['a', 'b', 'none', 'a'].map(find));
  expect(asked()).toEqual(['a']);
  questions[0]?.answer();
  await settle();
  expect(asked()).toEqual(['a', 'b none a']);
  questions[1]?.answer();
  expect(await answers).toEqual(['a!', 'b!', undefined, 'a!']);
  void find('c');
  expect(asked()).toEqual(['a', 'b none a', 'c']);
});

test('a question has a size; the rest waits for the one after it', async () => {
  const answers = Promise.all(['a', 'b', 'c', 'd', 'e'].map(find));
  for (let index = 0; index < 3; index += 1) {
    questions[index]?.answer();
    await settle();
  }
  expect(asked()).toEqual(['a', 'b c d', 'e']);
  expect(await answers).toEqual(['a!', 'b!', 'c!', 'd!', 'e!']);
});

test('a question that takes long is not waited for, but only so many are under way', async () => {
  const { pass } = stopTime();
  const answers = ['a', 'b'].map(find);
  await pass(399);
  expect(asked()).toEqual(['a']);
  await pass(1);
  expect(asked()).toEqual(['a', 'b']);
  answers.push(find('c'));
  await pass(60_000);
  expect(asked()).toEqual(['a', 'b']);
  questions[1]?.answer();
  expect(await answers[1]).toBe('b!');
  await pass(0);
  expect(asked()).toEqual(['a', 'b', 'c']);
  questions[2]?.answer();
  expect(await answers[2]).toBe('c!');
});

test('a failure is heard by all who were in the question, and by no others', async () => {
  const answers = ['a', 'b', 'c'].map(find);
  const said = Promise.allSettled(answers);
  questions[0]?.answer();
  await settle();
  questions[1]?.fail();
  expect((await said).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  const again = find('b');
  questions[2]?.answer();
  expect(await again).toBe('b!');
});
