// Which skill a query finds, and before which others.
import { describe, expect, test } from 'vitest';
import { type SearchEntry, SearchIndex } from './search-index.ts';

type Text = Partial<Pick<SearchEntry, 'id' | 'kind' | 'description' | 'body'>>;

const entry = (
  name: string,
  { id = name, kind = 'document', description = '', body = '' }: Text = {},
): SearchEntry => ({
  id,
  kind,
  name,
  description,
  body,
});

function indexOf(...entries: readonly SearchEntry[]): SearchIndex {
  const index = new SearchIndex();
  for (const each of entries) index.put(each);
  return index;
}

const idsOf = (index: SearchIndex, query: string, limit = 10): string[] =>
  index.search(query, limit).map(({ id }) => id);

/** Skills about other things, so that rarity means something. */
const others = Array.from({ length: 40 }, (_, index) =>
  entry(`other-${index}`, {
    description: `Handles matter number ${index} for the team when somebody asks.`,
    body: `# Steps\n\nRead the request, write the report, check the file, run the tests and tell the team. Item ${index}.`,
  }),
);

describe('search() ranks (T13)', () => {
  test('name above description above body', () => {
    const index = indexOf(
      ...others,
      entry('in-body', { body: 'Something about invoices here.' }),
      entry('in-description', { description: 'Something about invoices here.' }),
      entry('in-heading', { body: '# Invoices\n\nSomething here.' }),
      entry('invoice-things', { description: 'Something here.' }),
    );
    expect(idsOf(index, 'invoices')).toEqual(['invoice-things', 'in-description', 'in-heading', 'in-body']);
  });

  test('inflected words, compounds and camel case', () => {
    const index = indexOf(...others, entry('csv-to-json', { description: 'Converts tables.' }), entry('code-review'));
    for (const query of ['csvToJson', 'CSV_to_JSON', 'csvtojson', 'converting a table']) {
      expect(idsOf(index, query)[0]).toBe('csv-to-json');
    }
    for (const query of ['codereview', 'reviewing code', 'CodeReviews'])
      expect(idsOf(index, query)[0]).toBe('code-review');
  });

  test('a word written in two, and the beginning of a compound', () => {
    const index = indexOf(...others, entry('spreadsheet-charts'), entry('cron-jobs'), entry('k8s-crashloop'));
    expect(idsOf(index, 'spread sheet')[0]).toBe('spreadsheet-charts');
    expect(idsOf(index, 'crontab')[0]).toBe('cron-jobs');
    expect(idsOf(index, 'CrashLoopBackOff')[0]).toBe('k8s-crashloop');
  });

  test.each([
    ['kube', 'kubernetes-debugging'],
    ['kuberntes', 'kubernetes-debugging'],
    ['kubrenetes pods', 'kubernetes-debugging'],
    ['invioces', 'invoice-reminders'],
    ['remin', 'invoice-reminders'],
  ])('finds by the beginning or with a typing error: %s', (query, name) => {
    const index = indexOf(...others, entry('kubernetes-debugging'), entry('invoice-reminders'), entry('pdf-merge'));
    expect(idsOf(index, query)[0]).toBe(name);
  });

  test.each(['migartion', 'migratoin', 'accesibility', 'relese', 'deploymnet', 'Migartión', 'sql-migartion'])(
    'finds a word of a description with a typing error, whatever its ending: %s',
    (query) => {
      const description = 'Checks migrations, a migration, accessibility, each release and deployment.';
      const index = indexOf(...others, entry('checks', { description }));
      expect(idsOf(index, query)).toEqual(['checks']);
    },
  );

  test('no word that only has its ending in common', () => {
    const index = indexOf(...others, entry('rotate', { description: 'Rotation and notation of things.' }));
    for (const query of ['location', 'relation', 'zzqx', 'xyzzy']) expect(idsOf(index, query)).toEqual([]);
  });

  test('the body by its best passage, not by its length', () => {
    const filler = Array.from({ length: 120 }, (_, index) => `Paragraph ${index} with many more words than one needs.`);
    const scattered = filler.map((text, index) => `${text} ${['certificate', 'renewal', 'nginx'][index / 40] ?? ''}`);
    const index = indexOf(
      ...others,
      entry('scattered', { body: scattered.join('\n\n') }),
      entry('to-the-point', { body: 'Start here.\n\nRenewal of the certificate that nginx serves.' }),
    );
    expect(idsOf(index, 'renew certificate nginx')[0]).toBe('to-the-point');
  });

  test('words in code below words in prose', () => {
    const index = indexOf(
      ...others,
      entry('a-code', { body: 'Run:\n\n```sh\nffmpeg -i in.mov out.gif\n```' }),
      entry('b-prose', { body: 'Run ffmpeg to make a picture of the film.' }),
    );
    expect(idsOf(index, 'ffmpeg')).toEqual(['b-prose', 'a-code']);
    index.put(entry('a-both', { body: '```sh\nffmpeg -i in.mov\n```\nRun ffmpeg like this.' }));
    expect(idsOf(index, 'ffmpeg')).toEqual(['a-both', 'b-prose', 'a-code']);
  });

  test('an honest description above a list of keywords, and above repetition', () => {
    const list =
      'pdf form fill sign merge split excel word image video audio mail chart table code test deploy cloud data '.repeat(
        4,
      );
    const index = indexOf(
      ...others,
      entry('a-keyword-list', { description: list }),
      entry('b-repetition', { description: 'pdf forms pdf forms fill pdf form filling '.repeat(12) }),
      entry('c-honest', { description: 'Fill in PDF forms from a table of answers.' }),
    );
    for (const query of ['fill pdf form', 'pdf', 'forms']) expect(idsOf(index, query)[0]).toBe('c-honest');
  });

  test('a request of 300 words by what it is about', () => {
    const polite =
      'Hi there, I hope you are well. Could you please help me with something that I need to get done today? ';
    const request = `${polite.repeat(13)} We have to take the customer names out of the contracts, I mean redact them. ${polite}`;
    const index = indexOf(
      ...others,
      entry('please-help', { description: 'Help somebody who needs something done today.' }),
      entry('redact-documents', {
        description: 'Removes personal data.',
        body: 'Contracts and letters: black out customer names.',
      }),
    );
    expect(idsOf(index, request)[0]).toBe('redact-documents');
  });
});

describe('search() puts the exact name first (T13)', () => {
  const index = indexOf(
    ...others,
    entry('pdf', { description: 'Everything.' }),
    entry('pdf-forms-pdf-forms', { description: 'pdf forms pdf forms', body: '# pdf forms' }),
    entry('pdf-forms', { description: 'Nothing else.' }),
    entry('how-to'),
    entry('Ünïcode'),
  );

  test.each([
    ['pdf-forms', 'pdf-forms'],
    ['PDF Forms', 'pdf-forms'],
    ['pdf_FORMS', 'pdf-forms'],
    ['  pdf ', 'pdf'],
    ['how to', 'how-to'],
    ['ünïcode', 'Ünïcode'],
    ['U\u0308ni\u0308code', 'Ünïcode'],
  ])('%j', (query, name) => {
    expect(idsOf(index, query)[0]).toBe(name);
  });

  test('and all that have it, by id', () => {
    const twice = indexOf(entry('twin', { id: 'z' }), entry('twin', { id: 'b', kind: 'typed' }), entry('twin-thing'));
    expect(idsOf(twice, 'twin')).toEqual(['b', 'z', 'twin-thing']);
  });
});

describe('search() answers', () => {
  const index = indexOf(...others, entry('pdf-merge', { description: 'Merge pages.' }));

  test('an empty list when nothing fits', () => {
    for (const query of ['zzzzqqqq', '', '   ', '???', '\0']) expect(index.search(query, 5)).toEqual([]);
  });

  test('small words when the query has nothing else, by names and descriptions', () => {
    expect(idsOf(index, 'when the')).toHaveLength(10);
    const own = indexOf(entry('a', { description: 'For the team.' }), entry('b', { body: 'For the team.' }));
    expect(idsOf(own, 'the')).toEqual(['a']);
  });

  test('no small word for a stem that looks like it', () => {
    const own = indexOf(...others, entry('a', { description: 'Put them in order.' }), entry('b', { body: 'Theme.' }));
    expect(idsOf(own, 'theme')).toEqual(['b']);
  });

  test('at most as many as asked for', () => {
    expect(idsOf(index, 'report', 3)).toHaveLength(3);
    for (const limit of [0, -1, Number.NaN]) expect(index.search('report', limit)).toEqual([]);
  });

  test('with scores above zero, falling, of three decimals', () => {
    const scores = index.search('merge the team report pages', 50).map(({ score }) => score);
    expect(scores.every((score) => score > 0 && Math.abs(score * 1000 - Math.round(score * 1000)) < 1e-6)).toBe(true);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });
});

describe('the score says how much of the query is covered', () => {
  const index = indexOf(
    ...others,
    entry('read-aloud', { description: 'Reads a page aloud.' }),
    entry('github', { description: 'Works with github.' }),
    entry('spreadsheet', { description: 'Works with a spreadsheet.' }),
  );
  const bestOf = (query: string): number => index.search(query, 1)[0]?.score ?? 0;

  test('words that no skill has count', () => {
    expect(bestOf('aloud')).toBeGreaterThan(75);
    expect(bestOf('aloud pdfium')).toBeLessThan(50);
    expect(bestOf('aloud pdfium wasm')).toBeLessThan(bestOf('aloud pdfium'));
    expect(idsOf(index, 'aloud page pdfium')).toEqual(idsOf(index, 'aloud page'));
  });

  test('small words do not, and those of every request little', () => {
    expect(bestOf('aloud with the')).toBe(bestOf('aloud'));
    expect(bestOf('please aloud')).toBeGreaterThan(bestOf('aloud') * 0.8);
  });

  test('parts of a known compound do not', () => {
    expect(bestOf('GitHub works')).toBeGreaterThan(bestOf('GitHub pdfium') * 1.5);
    expect(bestOf('spread sheet')).toBeGreaterThan(75);
  });

  test('a long request can still be covered', () => {
    const strange = Array.from({ length: 300 }, (_, number) => `strange${'abcdefghij'[number % 10]}${number}x`);
    expect(bestOf(`read aloud ${strange.join(' ')}`)).toBeGreaterThan(1);
  });
});

describe('put() and remove()', () => {
  test('replace one skill and leave the others', () => {
    const index = indexOf(entry('a', { description: 'Merge pages.' }), entry('b', { description: 'Split pages.' }));
    index.put(entry('a', { description: 'Rotate pages.' }));
    expect([idsOf(index, 'merge'), idsOf(index, 'rotate'), idsOf(index, 'split')]).toEqual([[], ['a'], ['b']]);
    expect(index.size).toBe(2);
  });

  test('take a skill out, and its words with it', () => {
    const index = indexOf(entry('a', { description: 'Merge pages of a migration.' }));
    index.remove('a');
    index.remove('never-there');
    expect([index.size, idsOf(index, 'a'), idsOf(index, 'pages'), idsOf(index, 'pagse')]).toEqual([0, [], [], []]);
    // The stem is there again, but not the word.
    index.put(entry('b', { description: 'Migrates.' }));
    expect(idsOf(index, 'migartion')).toEqual([]);
  });
});

// So long that a square of its length would take many minutes: beyond the limit of a test.
test('a text or query of one endless word is read like any other (T13)', () => {
  const index = new SearchIndex();
  const endless = 'A'.repeat(1_000_000);
  index.put({ id: 'bomb', kind: 'document', name: 'bomb', description: endless.slice(0, 60_000), body: endless });
  index.put({ id: 'good', kind: 'document', name: 'good', description: 'Fills in forms.', body: '𝒳'.repeat(300) });
  index.search(endless, 5);
  expect(index.search('forms', 5).map(({ id }) => id)).toEqual(['good']);
});

test('reads a long skill in many steps, and others between them (T13)', () => {
  const index = new SearchIndex();
  const body = Array.from({ length: 20_000 }, (_, number) => `line x${number} of a text`).join('\n');
  const steps = [...index.putInSteps({ id: 'long', kind: 'document', name: 'long', description: 'Long.', body })];
  expect(steps.length).toBeGreaterThan(50);
  expect(index.search('x19999', 1)).toMatchObject([{ id: 'long' }]);
});

test('in a short ask a word of the name outweighs two that stand far apart in a body (T13, U16)', () => {
  const index = new SearchIndex();
  const section = (word: string): string => `## Section\n\n${`${word} and some more of it to read. `.repeat(20)}\n\n`;
  for (let number = 0; number < 40; number += 1) index.put(entry(`other-${number}`, { description: 'Does it.' }));
  for (let number = 0; number < 6; number += 1) {
    index.put(entry(`trip-${number}`, { description: 'Goes to a release.', body: section('Bees') }));
  }
  index.put(entry('release-notes', { description: 'Writes down what is in a release.' }));
  index.put(entry('bees', { description: 'Keeps them.', body: `${section('Plan')}${section('Release')}` }));
  expect(index.search('plan a release', 1)[0]?.id).toBe('release-notes');
});

test('a request that says a name of one word finds that skill before others that say the word (T13, U16)', () => {
  const index = new SearchIndex();
  for (let number = 0; number < 40; number += 1) {
    index.put(entry(`other-${number}`, { description: number % 2 === 0 ? 'Counts pages.' : 'Does it.' }));
  }
  index.put(entry('pdf', { description: 'Everything about such files.' }));
  for (let number = 0; number < 8; number += 1) {
    index.put(entry(`sorter-${number}`, { description: 'Sorts pages, also of pdf.' }));
  }
  const request =
    'Here are the papers of the quarter as pdf, twelve of them: turn the scanned pages and remove empty ones';
  expect(index.search(request, 1)[0]?.id).toBe('pdf');
});

test('"Go" in a request is the language, in names as "go" and "golang"; the verb is a small word (T13)', () => {
  const index = indexOf(
    ...others,
    entry('golang-context', { description: 'Cancels work in Golang.' }),
    entry('go-patterns', { description: 'Idioms of code.' }),
    entry('http-handlers', { description: 'Handles a request.', body: 'Write where it should go.' }),
  );
  expect(idsOf(index, 'Write a Go worker that stops', 2).toSorted()).toEqual(['go-patterns', 'golang-context']);
  expect(idsOf(index, 'Go to the page')).not.toContain('golang-context');
});

test('what a request asks for outweighs the code that is pasted into it (T13)', () => {
  const index = indexOf(
    ...others,
    entry('latency', { description: 'Finds out why an endpoint is slow.' }),
    entry('widgets', { description: 'Widget, gadget and gizmo factories.' }),
  );
  const code = '```js\nconst widget = gadget(gizmo); factory(widget, gadget);\n```';
  expect(idsOf(index, `Please tell me why this endpoint is slow for most of our customers now:\n${code}`, 1)).toEqual([
    'latency',
  ]);
});

test('for a whole request a skill that keeps coming back to a word stands before one that says it once (T13)', () => {
  const padding = 'It is about the weather, the garden and the neighbours of the old house by the river. '.repeat(8);
  const section = (text: string) => `## Part\n\n${text} ${padding}\n\n`;
  const index = indexOf(
    ...others,
    entry('a-once', { body: section('Trim the hedges.') + section('More.') + section('And more.') }),
    entry('b-again', { body: section('Trim the hedges.') + section('Hedges grow.') + section('Old hedges.') }),
  );
  const request =
    'My parents moved last summer, and what they left us is a row of hedges that somebody has to trim before winter';
  expect(idsOf(index, request, 2)).toEqual(['b-again', 'a-once']);
  expect(idsOf(index, 'trim hedges', 2)).toHaveLength(2);
});
