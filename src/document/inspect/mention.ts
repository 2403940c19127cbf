// Tells speaking of a thing from doing it: quoted, given as an example, or warned against. Honest security guides do all three.
import { lastAtOrBefore, type Passage } from './source-text.ts';

export interface Ranges {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** How far back a sentence is read. Bounds the work for a text without any full stop. */
const sentenceReach = 200;

/** True when the words before (or just after) offset `index` of the passage warn against what stands there. */
export function isWarnedAgainst(passage: Passage, index: number): boolean {
  const before = sentenceBefore(passage, index);
  if (prohibition.test(before) || aboutToName.test(before) || malice.test(before)) return true;
  if (verdict.test(sentenceAfter(passage.text, index))) return true;
  return announces(passage.leadIn) || (passage.kind === 'code' && commentAboveWarns(passage.text, index));
}

/** True when the sentence presents what stands at `index` as a quotation or an example. */
export function isDiscussed(passage: Passage, index: number): boolean {
  return (
    discussion.test(sentenceBefore(passage, index)) ||
    verdict.test(sentenceAfter(passage.text, index)) ||
    discussion.test(passage.leadIn) ||
    announces(passage.leadIn)
  );
}

/** Code spans of a passage, as offsets into its text. One pass. */
export function codeSpansOf(text: string): Ranges {
  return rangesOf(text, /`[^`]+`/g);
}

/** Code spans and quotations of a passage, as offsets into its text. One pass. */
export function quotationsOf(text: string): Ranges {
  return rangesOf(
    text,
    /`[^`]+`|"[^"]+"|“[^“”]+”|„[^„“”]+[“”]|«[^«»]+»|「[^「」]+」|(?<![\p{L}\d])'[^']+'(?![\p{L}\d])/gu,
  );
}

export function isWithin(ranges: Ranges, index: number): boolean {
  const at = lastAtOrBefore(ranges.starts, index);
  return at !== -1 && index < (ranges.ends[at] ?? 0);
}

function rangesOf(text: string, pattern: RegExp): Ranges {
  const starts: number[] = [];
  const ends: number[] = [];
  for (const match of text.matchAll(pattern)) {
    starts.push(match.index);
    ends.push(match.index + match[0].length);
  }
  return { starts, ends };
}

// "Don't worry, run …" and "never skip this: run …" are no warnings, so a prohibition counts only with a verb of doing.
const doing =
  'run|running|pipe|piping|use|using|execute|executing|do|paste|copy|copying|type|call|suggest|recommend|write|accept|allow|' +
  'install|download|trust|invoke|generate|emit|read|reading|print|cat|commit|committing|share|sharing|log|store|send|sending|' +
  'upload|uploading|follow|following|obey|fetch|put|include|expose|leak|output|delete|open|ignore|disregard|forget|override|bypass';
const prohibition = new RegExp(
  "\\b(?:never|(?:do|must|should|can|may|will) ?not|(?:do|must|should|ca|wo)n['’]t|refus(?:e|es|ing) to)" +
    `(?:\\s+(?:ever|just|blindly|simply|directly|manually))?\\s+(?:${doing})\\b`,
  'i',
);
// These speak of what follows at once; "instead of npm, run …" must not excuse what comes after its comma.
const aboutToName =
  /\b(?:never|avoid(?:s|ing)?|instead of|rather than|beware of)\b[^,;:]{0,60}$|\b(?:(?:look|search|scan|grep|watch)(?:s|es|ning|ing)? for|detects?|flags?|blocks?|rejects?|reports?|catch(?:es)?|den(?:y|ies))\b[^,;:]{0,60}(?::[\s`"'*]{0,6})?$/i;
const malice =
  /\b(?:forbid(?:s|den)?|prohibit(?:s|ed)?|denied|blocked|rejected|red flags?|dangerous|destructive|unsafe|insecure|risky|malicious|suspicious|attacks?|attackers?|injections?|anti-?patterns?|vulnerab\w{1,12}|warning signs?)(?![\w-])|❌|🚫|⛔|(?:^|[#*/\s])(?:bad|wrong|deny|never|avoid)["'*_]{0,3}\s{0,2}:/i;
const verdict =
  /^[^.!?\n]{0,120}?(?:\b(?:is|are|as|counts? as|→|->|=>)\s+(?:a |an |very |always |extremely )?(?:dangerous|unsafe|insecure|risky|forbidden|blocked|denied|refused|rejected|malicious|suspicious|red flags?|injections?|attacks?|anti-?patterns?|data)\b|#\s*(?:bad|wrong|unsafe|dangerous|never|don['’]t)\b|`\s{1,2}(?:downloads|deletes|wipes|dumps|exfiltrates|sends|executes|destroys|erases|would)\b|❌|🚫|⛔)/i;
const discussion =
  /\b(?:such as|e\.g\.?|for example|for instance|phrases?|patterns?|examples?|strings?|wording|(?:text|content|messages?|instructions?|anything|something|comments?|page|document|file|email|result|output) (?:that|which|like|saying|says|telling|may|might|can|could|tries|trying|asks?|asking|tells?)|says?|saying|tells? (?:you|the agent|the model|it)|telling (?:you|the agent|the model|it)|ask(?:s|ing) (?:you|the agent|the model|it)|tr(?:y|ies|ying) to|attempts?(?:ing)? to|claims?|attack(?:s|ers?)?|adversar\w{1,10}|injections?|injected|jailbreaks?|malicious|hostile|untrusted|suspicious|instruct(?:s|ing) (?:you|the agent|the model|it))(?![\w-])/i;

function sentenceBefore(passage: Passage, index: number): string {
  const before = passage.text.slice(Math.max(0, index - sentenceReach), index);
  const lineBreak = passage.kind === 'code' ? before.lastIndexOf('\n') : -1;
  const stop = Math.max(lineBreak, lastSentenceEnd(before));
  return before.slice(stop + 1);
}

// A full stop ends a sentence only before white space: "e.g. this" and "~/.ssh" do not, nor does "1. Never …".
function lastSentenceEnd(text: string): number {
  let last = -1;
  for (const match of text.matchAll(/(?<!\b(?:[Ee]\.g|[Ii]\.e|etc|vs|\d))[.!?](?=\s+\p{Lu})/gu)) last = match.index;
  return last;
}

function sentenceAfter(text: string, index: number): string {
  return text.slice(index, index + 240);
}

/** In a code block the comment on the line above, or a list that denies, speaks for the line. */
function commentAboveWarns(text: string, index: number): boolean {
  const above = text
    .slice(Math.max(0, index - 300), index)
    .split('\n')
    .slice(0, -1)
    .slice(-4);
  const same = text.slice(Math.max(0, text.lastIndexOf('\n', index - 1) + 1, index - 300), index);
  if (denyingKey.test(same)) return true;
  return above.some((line) => denyingKey.test(line) || (codeComment.test(line) && warns(line)));
}

const denyingKey = /^\s*["']?\w{0,20}(?:deny|denied|block|forbid)\w{0,20}["']?\s*[:=]/i;
const codeComment = /^\s*(?:#|\/\/|--|<!--|\/\*)/;

const announcement =
  /\b(?:look|watch|search|scan)(?:ing)? (?:out )?for\b|\bflag (?:these|any|all|the following|commands)\b/i;

/** What a heading or a lead-in says of the list or the code block under it. */
function announces(leadIn: string): boolean {
  return leadIn !== '' && (announcement.test(leadIn) || warns(leadIn));
}

function warns(text: string): boolean {
  return prohibition.test(text) || malice.test(text);
}
