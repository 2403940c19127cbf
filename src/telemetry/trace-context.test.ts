// Which trace a caller is in.
import { expect, test } from 'vitest';
import { parseTraceContext } from './trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('a traceparent is read, with its flag and its state (N5)', () => {
  const read = parseTraceContext(`00-${TRACE}-${SPAN}-01`, ' rojo=00f067aa0ba902b7, ,congo=t61rcWkgMzE ');
  expect(read).toEqual({
    traceId: TRACE,
    spanId: SPAN,
    isSampled: true,
    state: 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
  });
  expect(parseTraceContext(`00-${TRACE}-${SPAN}-02`)).toMatchObject({ isSampled: false, state: undefined });
});

test('a later version may have more behind the flags (N5)', () => {
  expect(parseTraceContext(`cc-${TRACE}-${SPAN}-01-what-comes`)).toMatchObject({ traceId: TRACE });
  expect(parseTraceContext(`00-${TRACE}-${SPAN}-01-what-comes`)).toBeUndefined();
});

test.each([
  ['not a text', 7],
  ['empty', ''],
  ['a list', [`00-${TRACE}-${SPAN}-01`]],
  ['of the forbidden version', `ff-${TRACE}-${SPAN}-01`],
  ['with a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['with a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['in capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['too short', `00-${TRACE.slice(1)}-${SPAN}-01`],
  ['two at once', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ['very long', `cc-${TRACE}-${SPAN}-01-${'x'.repeat(100_000)}`],
])('one that is %s is as if it were absent (N5)', (_what, given) => {
  expect(parseTraceContext(given)).toBeUndefined();
});

test.each(['no equals sign', 'Capital=1', 'a=b,'.repeat(33), `a=${'x'.repeat(600)}`, 'a=\u0007'])(
  'a state that is not written by the rules is left out: %s (N5)',
  (state) => {
    expect(parseTraceContext(`00-${TRACE}-${SPAN}-01`, state)).toMatchObject({ traceId: TRACE, state: undefined });
  },
);

test('an entry of the state that looks like a credential is left out, and the others stay (N5, T9)', () => {
  const token = `rpa_${'b'.repeat(43)}`;
  const read = (state: string) => parseTraceContext(`00-${TRACE}-${SPAN}-01`, state)?.state;
  expect(read(`rojo=1,mine=${token},dd=s:2;o:rum;t.dm:-4`)).toBe('rojo=1,dd=s:2;o:rum;t.dm:-4');
  expect(read('mine=ghp_0123456789abcdefghijklmnopqrstuvwxyzAB')).toBeUndefined();
  const vendors = 'a@nr=0-0-709288-8599547-f85f42fd82a4cf1d-164d3b4b0d09cb05-1-0.789-1563574856827,es=s:0.5';
  expect(read(vendors)).toBe(vendors);
});
