// Checks the evaluation itself: the set is large, consistent and split fairly, and the figures are computed right.
import { describe, expect, it } from 'vitest';
import { queriesOf } from './author-requests.ts';
import { judgeBars, judgePublicBars } from './bars.ts';
import { createDocument, loadDocuments } from './documents.ts';
import { type EngineName, engines } from './engines.ts';
import { measure, type Row } from './measure.ts';
import { scoresOf } from './metrics.ts';
import { parseOptions } from './options.ts';
import { parseRepositories } from './public-skills.ts';
import {
  loadPublicQueries,
  loadQueries,
  parseFull,
  parseShort,
  publicKinds,
  type QueryKind,
  queryKinds,
} from './queries.ts';
import { renderBars, renderRows, resultJson } from './report.ts';
import { parseArea } from './skill-parts.ts';

const documents = loadDocuments();
const queries = loadQueries();
const wordsOf = (text: string): number => text.split(/\s+/).filter(Boolean).length;
const ofKind = (kind: QueryKind) => queries.filter((query) => query.kind === kind);

describe('the documents', () => {
  it('are at least 320, with unique names and a description', () => {
    expect(documents.length).toBeGreaterThanOrEqual(320);
    expect(new Set(documents.map(({ name }) => name)).size).toBe(documents.length);
    expect(documents.filter(({ description }) => description.length < 10)).toEqual([]);
  });

  it('have bodies of 80 to 600 words with headings', () => {
    const odd = documents.filter(({ body }) => wordsOf(body) < 80 || wordsOf(body) > 600 || !/^## /m.test(body));
    expect(odd.map(({ name }) => name)).toEqual([]);
  });

  it('are the same in every run', () => {
    expect(loadDocuments()).toEqual(documents);
  });
});

describe('the queries', () => {
  it('are at least 100 of each kind, with unique ids', () => {
    for (const kind of queryKinds) expect(ofKind(kind).length).toBeGreaterThanOrEqual(100);
    expect(new Set(queries.map(({ id }) => id)).size).toBe(queries.length);
  });

  it('name one or two skills that exist', () => {
    const names = new Set(documents.map(({ name }) => name));
    const odd = queries.filter(({ relevant }) => relevant.length > 2 || !relevant.every((name) => names.has(name)));
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  it('are one to five words when short, 40 to 300 when full', () => {
    const fits: Partial<Record<QueryKind, readonly [number, number]>> = { short: [1, 5], full: [40, 300] };
    const odd = queries.filter(({ kind, text }) => {
      const [least, most] = fits[kind] ?? [0, 0];
      return wordsOf(text) < least || wordsOf(text) > most;
    });
    expect(odd.map(({ id }) => id)).toEqual([]);
  });

  it('hardly ever say the name of the skill in a full request', () => {
    const named = ofKind('full').filter(({ text, relevant }) =>
      relevant.some(
        (name) => text.toLowerCase().includes(name) || text.toLowerCase().includes(name.replaceAll('-', ' ')),
      ),
    );
    expect(named.length / ofKind('full').length).toBeLessThanOrEqual(0.1);
  });

  it('are split into halves of about the same size, both kinds in both', () => {
    for (const kind of queryKinds) {
      const tuned = ofKind(kind).filter(({ half }) => half === 'tune').length;
      expect(tuned / ofKind(kind).length).toBeGreaterThan(0.45);
      expect(tuned / ofKind(kind).length).toBeLessThan(0.55);
    }
  });
});

describe('the public set', () => {
  const asked = loadPublicQueries();

  it('has at least 40 queries of each kind, with unique ids, some of them in each half', () => {
    for (const kind of publicKinds) {
      const its = asked.filter((query) => query.kind === kind);
      expect(its.length).toBeGreaterThanOrEqual(40);
      expect(new Set(its.map(({ half }) => half)).size).toBe(2);
    }
    expect(new Set(asked.map(({ id }) => id)).size).toBe(asked.length);
    expect(asked.filter(({ text, relevant }) => text === '' || relevant.includes(''))).toEqual([]);
  });

  it('parseRepositories() reads the list of texts, which are not kept here', () => {
    const [one, ...others] = parseRepositories(
      '# note\n@ owner/name c0ffee\n0a1b a/SKILL.md\n2c3d b c/SKILL.md\n@ x/y 1\n',
    );
    expect(one).toEqual({
      name: 'owner/name',
      commit: 'c0ffee',
      files: [
        { digest: '0a1b', path: 'a/SKILL.md' },
        { digest: '2c3d', path: 'b c/SKILL.md' },
      ],
    });
    expect(others).toEqual([{ name: 'x/y', commit: '1', files: [] }]);
  });

  it('judgePublicBars() compares with the best MiniSearch', () => {
    const rowOf = (engine: EngineName, hit5: number): readonly Row[] =>
      publicKinds.map((kind) => ({
        engine,
        kind,
        scores: { queries: 1, top1: 0, hit5, recall5: 0, mrr: 0, missed: [] },
      }));
    const judged = judgePublicBars([
      ...rowOf('MiniSearch, name + description', 0.4),
      ...rowOf('MiniSearch, all three, our stop words', 0.6),
      ...rowOf('Repertoire', 0.64),
    ]);
    expect(judged.map(({ kind, isMet }) => [kind, isMet])).toEqual([
      ['own words', false],
      ['keywords', true],
      ['request', true],
    ]);
  });
});

describe('the text formats', () => {
  it('parseShort() and parseFull() read what README.md describes', () => {
    expect(parseShort('# note\nmerge pdf => pdf-merge, pdf-split\n')).toMatchObject([
      { id: 'merge pdf', kind: 'short', text: 'merge pdf', relevant: ['pdf-merge', 'pdf-split'] },
    ]);
    expect(parseFull('== one: a-b\nFirst line.\n\nSecond.\n\n== two: c, d\nOther.\n')).toMatchObject([
      { id: 'one', kind: 'full', text: 'First line.\n\nSecond.', relevant: ['a-b'] },
      { id: 'two', kind: 'full', text: 'Other.', relevant: ['c', 'd'] },
    ]);
  });

  it('parseArea() gives each skill its description, points, example and siblings', () => {
    const [first, second] = parseArea(
      'tea\n: Water is hot.\n= brew\nBrew tea.\n+ Use at five.\n- Warm the pot.\n$ kettle\n= pour\nPour.\n',
    );
    expect(first).toMatchObject({
      description: 'Brew tea. Use at five.',
      points: ['Warm the pot.'],
      example: 'kettle',
    });
    expect(second?.area).toMatchObject({ name: 'tea', shared: ['Water is hot.'] });
    expect(first && createDocument(first).body).toContain('Warm the pot.');
    expect(second?.area.skills.map(({ name }) => name)).toEqual(['brew', 'pour']);
  });
});

describe('the figures', () => {
  it('scoresOf() gives top-1, recall@5, MRR and the missed ones', () => {
    const scores = scoresOf([
      { id: 'first', ranked: ['a', 'b'], relevant: ['a'] },
      { id: 'half', ranked: ['x', 'a'], relevant: ['a', 'b'] },
      { id: 'sixth', ranked: ['1', '2', '3', '4', '5', 'a'], relevant: ['a'] },
      { id: 'never', ranked: [], relevant: ['a'] },
    ]);
    expect(scores).toEqual({
      queries: 4,
      top1: 1 / 4,
      hit5: 2 / 4,
      recall5: (1 + 1 / 2) / 4,
      mrr: (1 + 1 / 2 + 1 / 6) / 4,
      missed: ['sixth', 'never'],
    });
  });

  it('measure() gives a row for each engine and kind', () => {
    const tea = [{ name: 'brew-tea', description: 'Brew tea.', body: '# Tea\n\nBrew it.\n' }];
    const rows = measure(tea, [
      ...parseShort('brew tea => brew-tea'),
      ...parseFull('== t: brew-tea\nPlease brew tea.\n'),
    ]);
    expect(rows).toHaveLength(Object.keys(engines).length * queryKinds.length);
    expect(rows.map(({ scores }) => scores.top1)).toEqual(rows.map(() => 1));
  });

  it('judgeBars() wants 10 points more for full requests and no less for short ones', () => {
    const judged = judgeBars([
      ...rowsOf('MiniSearch, name + description', 0.5, 0.8),
      ...rowsOf('Repertoire', 0.6, 0.79),
    ]);
    expect(judged.map(({ kind, isMet }) => [kind, isMet])).toEqual([
      ['full', true],
      ['short', false],
    ]);
    expect(renderBars(judged)).toMatch(/^PASS {2}full request: .*\+10\.0 points.*\nMISS {2}short: .*−1\.0 points/);
  });

  it('resultJson() and renderRows() tell nothing about single queries of the held half', () => {
    const rows = rowsOf('Repertoire', 0.5, 0.5);
    expect(renderRows(rows)).not.toContain('secret');
    expect(resultJson('held', rows, [])).not.toContain('secret');
    expect(resultJson('tune', rows, [])).toContain('secret');
  });

  it('parseOptions() reads the held half unless told, and refuses others', () => {
    expect(parseOptions([])).toMatchObject({ ok: true, value: { half: 'held', strict: false } });
    expect(parseOptions(['--half', 'both'])).toMatchObject({ ok: false });
    expect(parseOptions(['--what'])).toMatchObject({ ok: false });
  });
});

function rowsOf(engine: EngineName, full: number, short: number): readonly Row[] {
  const scores = { queries: 10, top1: 0, hit5: 0, mrr: 0, missed: ['secret'] };
  return [
    { engine, kind: 'full', scores: { ...scores, recall5: full } },
    { engine, kind: 'short', scores: { ...scores, recall5: short } },
  ];
}

describe("the authors' requests", () => {
  it('are read from a list or from `evals`, without those that the skill is not for, at most six of a skill', () => {
    const asked = [{ prompt: 'one' }, { prompt: 'two', should_trigger: false }, { query: 'three' }, { prompt: 'four' }];
    const listed = queriesOf('ads', JSON.stringify(asked));
    expect(listed).toMatchObject([
      { text: 'one', relevant: ['ads'], kind: 'author' },
      { text: 'four', relevant: ['ads'] },
    ]);
    expect(queriesOf('ads', JSON.stringify({ skill_name: 'ads', evals: asked }))).toEqual(listed);
    expect(queriesOf('ads', JSON.stringify(Array(9).fill({ prompt: 'again' })))).toHaveLength(6);
  });

  it('of one skill are in one half', () => {
    const halves = queriesOf('ads', JSON.stringify([{ prompt: 'one' }, { prompt: 'two' }])).map(({ half }) => half);
    expect(new Set(halves).size).toBe(1);
  });

  it('cannot be measured together with the public set', () => {
    expect(parseOptions(['--public', 'a', '--authors', 'b'])).toMatchObject({ ok: false });
  });
});
