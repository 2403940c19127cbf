// Rule `remote-instruction`: an order to fetch an address and do what it says, so that the skill is whatever its owner serves today.
import type { FindingSeverity, Hit, Sighting } from './finding.ts';
import { inPassages } from './in-passages.ts';
import { isDiscussed, isWarnedAgainst, isWithin, quotationsOf } from './mention.ts';
import type { Passage } from './source-text.ts';

export const remoteInstruction = inPassages({
  rule: 'remote-instruction',
  triggers: ['http://', 'https://'],
  kinds: ['prose', 'comment'],
  check,
});

// A person "visits" or "goes to" a page and follows its steps; an agent is told to fetch, load or read it.
const fetchingBefore =
  /\b(?:fetch|download|retrieve|load|curl|wget|web ?fetch|get|pull|read|check|open|query|call)\b[^.!?\n]{0,80}$/i;
const readingBefore = /\b(?:read|open|get|check|query|call)\b[^.!?\n]{0,80}$/i;
const its = '(?:the|its|their|any|all|every|these|those|whatever|further|new|latest|remote|returned|resulting)';
const obeying = new RegExp(
  `^[^\\n]{0,100}?\\b(?:follow|execute|obey|perform|carry out|comply with|act on|run)\\s+(?:${its}\\s+){0,4}(?:instructions?|commands?|directives?|orders?|code)` +
    `(?:\\s+(?:it|there|in it|inside|contained|returned|found|given|provided|from|exactly|as)\\b|\\s*[.,;!]|\\s*$)` +
    `|^[^\\n]{0,100}?\\b(?:follow|execute|obey|do|run)\\s+(?:exactly\\s+)?(?:what(?:ever)?|everything|anything)\\s+(?:it|they|that|the|is|you)\\b` +
    `|^[^\\n]{0,100}?\\b(?:treat|use|adopt)\\s+(?:it|its|the|that|them)(?:\\s+\\w{1,12}){0,3}\\s+as\\s+(?:your|new|the)\\s+(?:\\w{1,12}\\s+)?(?:instructions?|prompt|rules|orders)`,
  'i',
);
const promising =
  /\b(?:instructions?|commands?|directives?|orders?|code|what(?:ever)?|everything|anything)\b|\bas\s(?:your|new|the)\b|\b(?:and|then)\s+(?:run|execute|source)\b/i;
const runningScript =
  /^\S{1,300}\.(?:sh|bash|ps1|py|js|mjs|rb|pl)\b[^\n.]{0,40}?\b(?:and|then)\s+(?:run|execute|source)\s+(?:it|the script)\b/i;

function* check(passage: Passage): Iterable<Sighting> {
  let quotations: ReturnType<typeof quotationsOf> | undefined;
  for (const match of passage.text.matchAll(/\bhttps?:\/\/[^\s)>"'`\]]{3,300}/gi)) {
    const before = flat(passage.text.slice(Math.max(0, match.index - 100), match.index));
    const verb = before.search(fetchingBefore);
    if (verb === -1) continue;
    // Link lists are full of addresses; only those with words of obeying behind them are worth a closer look.
    if (!promising.test(passage.text.slice(match.index, match.index + match[0].length + 220))) continue;
    const severity = judge(passage.text, match.index, match[0], before);
    const verbAt = match.index - before.length + verb;
    quotations ??= quotationsOf(passage.text);
    const isMentioned =
      isWithin(quotations, verbAt) || isDiscussed(passage, verbAt) || isWarnedAgainst(passage, verbAt);
    yield severity === undefined || isMentioned ? 'spared' : hitAt(match.index, severity);
  }
}

function judge(text: string, index: number, address: string, before: string): FindingSeverity | undefined {
  const after = flat(text.slice(index + address.length, index + address.length + 220));
  if (obeying.test(ownSentences(after))) return readingBefore.test(before) ? 'medium' : 'high';
  return runningScript.test(flat(text.slice(index, index + 400))) ? 'medium' : undefined;
}

// A soft line break is a space to the reader.
const flat = (text: string): string => text.replace(/[\r\n]/g, ' ');

/** The rest of this sentence and the next one: "Fetch X. Then follow its instructions." */
function ownSentences(after: string): string {
  const sentences = after.split(/(?<=[.!?])\s+(?=\p{Lu})/u);
  return sentences.slice(0, 2).join(' ');
}

function hitAt(index: number, severity: FindingSeverity): Hit {
  return {
    index,
    severity,
    message: 'The text tells the agent to fetch an address and do what it says; that can change at any time.',
    fix: 'Put the instructions into the skill itself, where they can be reviewed.',
  };
}
