// Rule `prompt-override`: visible words that turn the agent against its instructions or its user. Quotations and warnings are spared.
import type { Sighting } from './finding.ts';
import { inPassages } from './in-passages.ts';
import { isDiscussed, isWarnedAgainst, isWithin, quotationsOf } from './mention.ts';
import { overridePhrases } from './override-phrases.ts';
import type { Passage } from './source-text.ts';

// Code blocks are samples: a guide against injection shows its strings there.
export const promptOverride = inPassages({
  rule: 'prompt-override',
  triggers: [
    'ignore',
    'disregard',
    'forget',
    'override',
    'bypass',
    'user',
    'human',
    'operator',
    'developer',
    'person',
    'prompt',
    'now',
    'longer',
  ],
  kinds: ['prose'],
  check,
});

function* check(passage: Passage): Iterable<Sighting> {
  let quotations: ReturnType<typeof quotationsOf> | undefined;
  for (const { pattern, severity, message, fix } of overridePhrases) {
    for (const match of passage.text.matchAll(pattern)) {
      quotations ??= quotationsOf(passage.text);
      if (isWithin(quotations, match.index) || isHonest(passage, match.index, match[0])) yield 'spared';
      else yield { index: match.index, severity, message, fix };
    }
  }
}

function isHonest(passage: Passage, index: number, phrase: string): boolean {
  if (isDiscussed(passage, index) || isWarnedAgainst(passage, index)) return true;
  return /tell|notify|inform|alert|above/i.test(phrase) && isConditional(passage.text, index);
}

// "If nothing changed, do not notify the user." and "Ignore the rules above when …" are ordinary guidance.
function isConditional(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 100), index);
  const sentence = before.slice(Math.max(before.lastIndexOf('. '), before.lastIndexOf('\n')) + 1);
  return (
    /\b(?:if|when|unless|until|once|for)\b/i.test(sentence) ||
    /^[^.!?\n]{0,60}\b(?:if|when|unless|until|for)\b/i.test(text.slice(index + 10, index + 80))
  );
}
