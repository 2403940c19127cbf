// Which words meet in one stem, and which must not.
import { expect, test } from 'vitest';
import { stem } from './stem.ts';

test.each([
  'validate validates validated validating validation validator validators',
  'deploy deploys deployed deploying deployment deployments',
  'cancel cancels cancelled canceled cancelling cancellation',
  'summary summaries summarize summarise summarizing summarization',
  'copy copies copied copying',
  'plan plans planned planning planner',
  'fix fixes fixed fixing',
  'process processes processing',
  'document documents documenting documentation',
  'manage manages manager managing management',
  'cache caches cached caching',
  'code codes coded coding',
  'type types typed typing',
])('brings the forms together: %s', (forms) => {
  expect(new Set(forms.split(' ').map(stem)).size).toBe(1);
});

test.each([
  'organise organize organisation organization',
  'colour color colours colors',
  'behaviour behavior',
  'centre center',
  'catalogue catalog',
  'analyse analyze analysis analysing analyzer',
])('knows British and American spelling: %s', (spellings) => {
  expect(new Set(spellings.split(' ').map(stem)).size).toBe(1);
});

test.each([
  ['file', 'fill'],
  ['note', 'not'],
  ['form', 'format'],
  ['general', 'generate'],
  ['custom', 'customers'],
  ['part', 'party'],
  ['string', 'str'],
  ['need', 'ne'],
  ['status', 'statu'],
  ['bus', 'bu'],
])('keeps %s and %s apart', (one, other) => {
  expect(stem(one)).not.toBe(stem(other));
});

test.each(['', 'a', 'pdf', 'k8s', 'größe', '漢字', 'constructor'])('leaves no nonsense of %j', (word) => {
  expect(stem(word).length).toBeGreaterThanOrEqual(Math.min(3, word.length));
});
