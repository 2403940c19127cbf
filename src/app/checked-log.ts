// The log as programs read it: a question that cannot be answered is refused with a sentence before the store is asked.
import { FAILURE_MODES } from '../skills/define/failure.ts';
import type { InvocationLog, InvocationQuery } from '../skills/record/invocation-log.ts';
import { orList } from '../text/nearest.ts';
import {
  anyText,
  dateValue,
  type FieldRule,
  findOptionProblem,
  isPlainObject,
  listOfTexts,
  refuse,
} from '../values/field-rules.ts';

type Rules = Readonly<Record<string, FieldRule>>;

/** What runs is recorded as before: a runtime hands over nothing that a person wrote. */
export const checkedLog = (log: InvocationLog): InvocationLog => ({
  begin: (invocation) => log.begin(invocation),
  end: (invocation, result) => log.end(invocation, result),
  find: (id) => log.find(id),
  list: async (query) => log.list(checked('list', query, LIST_FIELDS, ['limit'])),
  stats: async (query) => {
    if (isPlainObject(query) && 'by' in query)
      refuse('ask stats()', 'the field "by" belongs to statsBy(). Write statsBy({ by: "agent", since, until }).');
    return log.stats(checked('stats', query, STATS_FIELDS, ['since', 'until']));
  },
  statsBy: async (query) => log.statsBy(checked('statsBy', query, STATS_BY_FIELDS, ['by', 'since', 'until'])),
});

const oneOf =
  (names: readonly string[]): FieldRule =>
  (value) =>
    names.includes(String(value)) ? undefined : `is none of its values. Write ${orList(names)}.`;

const LIST_FIELDS = {
  ids: listOfTexts,
  idBegins: anyText,
  skill: anyText,
  status: oneOf(['pending', 'running', 'completed', 'failed', 'timeout']),
  agent: anyText,
  failureCode: oneOf(Object.keys(FAILURE_MODES)),
  correlationId: anyText,
  correlationIdBegins: anyText,
  since: dateValue,
  until: dateValue,
  cursor: anyText,
  limit: (value) =>
    Number.isInteger(value) && Number(value) >= 1 ? undefined : 'is no whole number from 1. Write 20.',
} as const satisfies Record<keyof InvocationQuery, FieldRule>;

const STATS_FIELDS = { skill: anyText, since: dateValue, until: dateValue } as const satisfies Rules;

const STATS_BY_FIELDS = {
  ...STATS_FIELDS,
  by: (value) =>
    value === 'agent' || typeof value === 'function'
      ? undefined
      : 'is no key. Write "agent", or a function from the name of a skill to a key.',
} as const satisfies Rules;

function checked<T>(call: string, query: T, rules: Rules, needed: readonly string[]): T {
  refuse(`ask ${call}()`, findOptionProblem(call, query, rules, needed));
  return query;
}
