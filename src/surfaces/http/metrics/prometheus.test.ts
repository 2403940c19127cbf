// The text for Prometheus, read back by a parser that is not ours (H2).
import parsePrometheusTextFormat from 'parse-prometheus-text-format';
import { expect, test } from 'vitest';
import { prometheusText } from './prometheus.ts';

test('what is written is what a parser reads, whatever the labels hold', () => {
  const name = 'quote " backslash \\ break \n brace } 日本';
  const text = prometheusText([
    {
      name: 'a_total',
      help: 'Help with \\ and\nbreak.',
      type: 'counter',
      samples: [{ labels: { skill: name }, value: 3 }],
    },
    { name: 'b', help: 'B.', type: 'gauge', samples: [{ value: 0.5 }] },
  ]);
  expect(parsePrometheusTextFormat(text)).toMatchObject([
    { name: 'a_total', type: 'COUNTER', metrics: [{ value: '3', labels: { skill: name } }] },
    { name: 'b', type: 'GAUGE', metrics: [{ value: '0.5' }] },
  ]);
});

test('one line per sample, and a break at the end', () => {
  const samples = [{ labels: { a: 'x\ny', b: '"' }, value: 1 }];
  expect(prometheusText([{ name: 'n', help: 'H.', type: 'gauge', samples }])).toBe(
    '# HELP n H.\n# TYPE n gauge\nn{a="x\\ny",b="\\""} 1\n',
  );
});

test('numbers that JSON does not know have their names', () => {
  const samples = [{ value: Number.NaN }, { value: Number.POSITIVE_INFINITY }, { value: Number.NEGATIVE_INFINITY }];
  expect(prometheusText([{ name: 'n', help: '', type: 'gauge', samples }])).toContain('n NaN\nn +Inf\nn -Inf\n');
});

test('a family without samples is not there', () => {
  expect(prometheusText([{ name: 'n', help: '', type: 'counter', samples: [] }])).toBe('');
});
