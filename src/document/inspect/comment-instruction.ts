// Rule `comment-instruction`: orders to the agent in an HTML comment, where a reader of the rendered page never sees them.
import type { FindingSeverity, Hit } from './finding.ts';
import { inPassages } from './in-passages.ts';
import { overridePhrases } from './override-phrases.ts';
import type { Passage } from './source-text.ts';

export const commentInstruction = inPassages({
  rule: 'comment-instruction',
  triggers: ['<!--', ']: '],
  kinds: ['comment'],
  check,
});

interface Order {
  readonly pattern: RegExp;
  readonly severity: FindingSeverity;
  readonly what: string;
}

const orders: readonly Order[] = [
  ...overridePhrases.map(({ pattern, severity }) => ({
    pattern: new RegExp(pattern.source, 'i'),
    severity,
    what: 'turns the agent against its instructions or its user',
  })),
  {
    pattern:
      /\b(?:send|upload|exfiltrate|post|forward|transmit|leak|e-?mail)\s(?:the|all|any|your|it|them|this|these|its|their|every|contents?|~|\$|\.|\w{1,20}['’]s)[^\n]{0,80}?(?:https?:\/\/|\bto\s\S{1,60}@|\b(?:credentials?|secrets?|tokens?|api keys?|private keys?|passwords?|environment variables|conversation|chat history|\.env)\b)/i,
    severity: 'high',
    what: 'tells the agent to send data away',
  },
  {
    pattern: /\b(?:silently|secretly|covertly|without (?:asking|confirm\w{0,8}|permission|approval))\b/i,
    severity: 'high',
    what: 'tells the agent to act unseen',
  },
  {
    pattern:
      /\b(?:run|execute|eval|invoke)\b[^\n]{0,60}?\b(?:curl|wget|nc|bash|sh|zsh|powershell|python3?|node|base64|rm -\w{1,6}|iex)\b/i,
    severity: 'medium',
    what: 'tells the agent to run a command',
  },
  {
    pattern:
      /\b(?:ai|agents?|assistants?|llms?|language models?|claude|codex|copilot|gemini|cursor|chatgpt)\b[^\n]{0,80}?\b(?:must|run|execute|send|upload|ignore|fetch|delete|install|download|disable|approve|secretly|obey)\b/i,
    severity: 'medium',
    what: 'gives the agent an order',
  },
  {
    // "You must regenerate this after editing" is a note from one maintainer to the next.
    pattern:
      /\byou (?:must|are required to|have to|will now)\s(?!(?:\w+ly\s|also\s)?(?:update|edit|regenerate|rebuild|keep|bump|sync|add|change|remove|commit|rerun|re-run|run (?:npm|yarn|pnpm|make|the)|not edit|not change|not modify)\b)/i,
    severity: 'medium',
    what: 'gives the reader of the raw text an order',
  },
];

// Tools write these, and licence headers are full of "must" and "without permission".
const harmless =
  /^<!--\s*(?:markdownlint|prettier|textlint|vale|cspell|spell-?checker|eslint|stylelint|biome|doctoc|toc|begin|end|start|stop|more|omit|all-contributors|remark|alex|\[if|#region|#endregion)\b|\bSPDX-License-Identifier\b|\b(?:copyright|licensed under|apache license|mit license|all rights reserved)\b/i;

/** Longer than any comment that a person writes; what hides behind the padding is not looked for, so the padding is reported. */
const longest = 100_000;
const fix = 'Remove the comment, or say openly in the text what the agent should do.';

function* check({ text }: Passage): Iterable<Hit> {
  const comment = text.slice(0, longest);
  const hit = orderIn(comment);
  if (hit) yield hit;
  if (text.length <= longest) return;
  yield { index: 0, severity: 'medium', message: `A comment hides ${text.length} characters from readers.`, fix };
}

function orderIn(comment: string): Hit | undefined {
  const order = orders.find(({ pattern }) => pattern.test(comment));
  const match = order?.pattern.exec(comment);
  if (!order || !match) return undefined;
  const isTolerable = order.severity !== 'high' || /^without permission/i.test(match[0]);
  if (isTolerable && harmless.test(comment.slice(0, 400))) return undefined;
  const message = `A comment that readers do not see ${order.what}.`;
  return { index: match.index, severity: order.severity, message, fix };
}
