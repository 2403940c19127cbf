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
import { createSourceText, type SourceText } from './inspect/source-text.ts';

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
const maxShown = 25;
/** Beyond these a rule stops and says so: no text, however made, may cost more than its length. */
const maxHits = 1000;
const maxSpared = 2000;
/** Deciding about a joiner in a Persian word is quick, and a long text in that language is full of them. */
const maxSparedCharacters = 100_000;
/** Places that one step judges: each takes microseconds, or a tenth of a millisecond where the text around it is read. */
const sightingsPerStep = 50;

/** Findings in the order of their lines; of each rule the 25 gravest. */
export function inspectText(text: string): readonly Finding[] {
  const steps = inspectSteps(text);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The same in short steps, for a process that has others to answer: a text of 1 MB may take half a second. */
export function* inspectSteps(text: string): Generator<void, readonly Finding[]> {
  const source = createSourceText(text);
  const findings: Finding[] = [];
  for (const rule of rules) {
    findings.push(...findingsIn(yield* hitsOf(rule, source), rule, source));
    yield;
  }
  return findings.sort((a, b) => a.line - b.line);
}

const rank = { high: 0, medium: 1, low: 2 } satisfies Record<FindingSeverity, number>;

function findingsIn(found: readonly Hit[], rule: InspectionRule, source: SourceText): readonly Finding[] {
  const hits = found.toSorted((a, b) => rank[a.severity] - rank[b.severity] || a.index - b.index);
  const omitted = hits.length - maxShown;
  return hits.slice(0, maxShown).map((hit, at) => ({
    rule: rule.rule,
    severity: hit.severity,
    line: source.lineAt(hit.index),
    message: omitted > 0 && at === maxShown - 1 ? `${hit.message} ${omitted} more places are not shown.` : hit.message,
    fix: hit.fix,
    excerpt: excerptAt(source.text, hit.index),
  }));
}

/** Each remark once per line, until the text has had its share of our time. */
function* hitsOf({ rule, find }: InspectionRule, source: SourceText): Generator<void, readonly Hit[]> {
  const kept = new Map<string, Hit>();
  const limit = rule === hiddenUnicode.rule || rule === bidiControl.rule ? maxSparedCharacters : maxSpared;
  let hits = 0;
  let spared = 0;
  let last = 0;
  for (const sighting of find(source)) {
    if (sighting === 'spared') spared += 1;
    else {
      hits += 1;
      last = sighting.index;
      const key = `${source.lineAt(sighting.index)} ${sighting.message}`;
      if (!kept.has(key)) kept.set(key, sighting);
    }
    // Padding must not be a way to hide something behind it, so giving up is a finding of the gravest kind.
    if (hits > maxHits || spared > limit) return [gaveUp(last), ...kept.values()];
    if ((hits + spared) % sightingsPerStep === 0) yield;
  }
  return [...kept.values()];
}

const gaveUp = (index: number): Hit => ({
  index,
  severity: 'high',
  message: 'There are more places to judge than an honest text has; the rest was not read for this rule.',
  fix: 'Split the text, or remove what fills it.',
});
