// Suspicious things in a SKILL.md or a supporting text: findings for a reader to judge. Pure; never runs, fetches or expands anything.
import { ansiEscape } from './inspect/ansi-escape.ts';
import { bidiControl } from './inspect/bidi-control.ts';
import { commentInstruction } from './inspect/comment-instruction.ts';
import { credentialPath } from './inspect/credential-path.ts';
import { destructiveCommand } from './inspect/destructive-command.ts';
import { encodedPayload } from './inspect/encoded-payload.ts';
import { excerptAt } from './inspect/excerpt.ts';
import type { Finding, FindingSeverity, Hit, InspectionRule } from './inspect/finding.ts';
import { hiddenUnicode } from './inspect/hidden-unicode.ts';
import { pipeToShell } from './inspect/pipe-to-shell.ts';
import { promptOverride } from './inspect/prompt-override.ts';
import { remoteInstruction } from './inspect/remote-instruction.ts';
import { secretShape } from './inspect/secret-shape.ts';
import type { SourceText } from './inspect/source-text.ts';
import { createSourceText } from './inspect/source-text.ts';

export type { Finding } from './inspect/finding.ts';

const rules: readonly InspectionRule[] = [
  hiddenUnicode,
  bidiControl,
  ansiEscape,
  commentInstruction,
  promptOverride,
  pipeToShell,
  destructiveCommand,
  credentialPath,
  secretShape,
  remoteInstruction,
  encodedPayload,
];

/** A reader needs to know that a text is bad, not every one of its thousand places. */
const maxPerRule = 25;

/** Findings in the order of their lines; at most 25 per rule, the gravest first to be kept. */
export function inspectText(text: string): readonly Finding[] {
  const source = createSourceText(text);
  return rules.flatMap((rule) => findingsOf(rule, source)).sort((a, b) => a.line - b.line);
}

const rank = { high: 0, medium: 1, low: 2 } satisfies Record<FindingSeverity, number>;

function findingsOf({ rule, find }: InspectionRule, source: SourceText): readonly Finding[] {
  const hits = onePerLine(find(source), source);
  const kept = hits.sort((a, b) => rank[a.severity] - rank[b.severity] || a.index - b.index).slice(0, maxPerRule);
  const omitted = hits.length - kept.length;
  return kept.map((hit, at) => {
    const more = omitted > 0 && at === kept.length - 1 ? ` ${omitted} more places break this rule.` : '';
    return {
      rule,
      severity: hit.severity,
      line: source.lineAt(hit.index),
      message: hit.message + more,
      fix: hit.fix,
      excerpt: excerptAt(source.text, hit.index),
    };
  });
}

/** The same remark twice about one line tells a reader nothing new. */
function onePerLine(hits: Iterable<Hit>, source: SourceText): Hit[] {
  const kept = new Map<string, Hit>();
  for (const hit of hits) {
    const key = `${source.lineAt(hit.index)} ${hit.message}`;
    if (!kept.has(key)) kept.set(key, hit);
  }
  return [...kept.values()];
}
