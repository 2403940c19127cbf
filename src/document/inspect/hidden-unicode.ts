// Rule `hidden-unicode`: characters that a reader cannot see but a model reads. Spares those that writing systems and emoji need.
import { printable } from './excerpt.ts';
import type { Hit, InspectionRule, Sighting } from './finding.ts';
import type { SourceText } from './source-text.ts';

export const hiddenUnicode: InspectionRule = { rule: 'hidden-unicode', find };

// Soft hyphen, joiners, fillers, invisible operators, variation selectors and tags. Direction marks belong to bidi-control.
const hiddenRun =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: the class holds single invisible characters on purpose
  /[\u00AD\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200D\u2060-\u2064\u206A-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF9-\uFFFB\u{E0000}-\u{E01EF}]+/gu;

function* find({ text }: SourceText): Iterable<Sighting> {
  for (const match of text.matchAll(hiddenRun)) {
    yield judge(text, match.index, match[0]) ?? 'spared';
  }
}

function judge(text: string, index: number, run: string): Hit | undefined {
  if (index === 0 && run === '\uFEFF') return undefined;
  const before = characterBefore(text, index);
  const after = characterAt(text, index + run.length);
  if (isTagRun(run)) return isFlag(before, run) ? undefined : tagHit(index, run);
  const bare = withoutPresentation(before, run);
  if (bare === '') return undefined;
  const preceding = bare === run ? before : run.slice(0, run.length - bare.length);
  if (
    bare.length <= 2 &&
    [...bare].length === 1 &&
    isOrthography(preceding === '\uFE0F' ? before : preceding, bare, after)
  )
    return undefined;
  return runHit(index, bare, before, after);
}

function characterBefore(text: string, index: number): string {
  const low = text.charAt(index - 1);
  const isPair = /[\uDC00-\uDFFF]/.test(low) && /[\uD800-\uDBFF]/.test(text.charAt(index - 2));
  return isPair ? text.charAt(index - 2) + low : low;
}

function characterAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  return code === undefined ? '' : String.fromCodePoint(code);
}

const isTagRun = (run: string): boolean => /[\u{E0000}-\u{E007F}]/u.test(run);

// 🏴 + region letters + cancel tag: the flags of England, Scotland, Wales and other regions.
const isFlag = (before: string, run: string): boolean =>
  before === '\u{1F3F4}' && run.endsWith('\u{E007F}') && /^[a-z]{2}[a-z0-9]{1,3}$/.test(decodeTags(run));

/** A run without the one variation selector that may follow an emoji, a symbol or an ideograph. */
function withoutPresentation(before: string, run: string): string {
  const first = characterAt(run, 0);
  const isPresentation = /[\uFE00-\uFE0F]/u.test(first) && /\p{Emoji}|[^\p{L}\p{Z}\p{C}]/u.test(before);
  const isIdeographic = /[\uFE00-\uFE02\u{E0100}-\u{E01EF}]/u.test(first) && /\p{Script=Han}/u.test(before);
  return isPresentation || isIdeographic ? run.slice(first.length) : run;
}

const pictograph = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/u;
// Scripts whose spelling needs the joiners, and scripts written without spaces, where U+200B marks a word's end.
const joiningScript =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Balinese}\p{Script=Javanese}]/u;
const spacelessScript =
  /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function isOrthography(before: string, hidden: string, after: string): boolean {
  if (hidden === '\u200D' && pictograph.test(before) && pictograph.test(after)) return true;
  if (/[\u200C\u200D]/.test(hidden)) return joiningScript.test(before) && !/[A-Za-z0-9]/.test(after);
  // Before a backtick it is the usual way to show a code fence inside a code fence.
  if (hidden === '\u200B') return after === '`' || spacelessScript.test(before) || spacelessScript.test(after);
  return /[\u180B-\u180F]/.test(hidden) && /\p{Script=Mongolian}/u.test(before);
}

/** As much of a run as is counted and decoded; more would say nothing new. */
const longest = 2000;
const fix = 'Remove the invisible characters, or write out what they say.';

function tagHit(index: number, run: string): Hit {
  const said = printable(decodeTags(run), 80);
  const message = `Unicode tag characters hide text that only a model reads: "${said}".`;
  return { index, severity: 'high', message, fix };
}

function runHit(index: number, run: string, before: string, after: string): Hit {
  const characters = [...run.slice(0, longest)];
  const first = `U+${(run.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const bytes = selectorBytes(characters);
  if (bytes.length > 1) {
    const said = printable(Buffer.from(bytes).toString('utf8'), 80);
    return {
      index,
      severity: 'high',
      message: `${bytes.length} variation selectors in a row hide data: "${said}".`,
      fix,
    };
  }
  if (characters.length >= 8) {
    const message = `${characters.length} invisible characters in a row (from ${first}) can carry a hidden message.`;
    return { index, severity: 'high', message, fix };
  }
  const splitsWord = run !== '\u00AD' && /[A-Za-z]/.test(before) && /[A-Za-z]/.test(after);
  const message = splitsWord
    ? `An invisible character (${first}) splits a word, so that searching for it fails.`
    : `The text has an invisible character (${first}).`;
  return { index, severity: splitsWord ? 'medium' : 'low', message, fix };
}

/** What tag characters say, as the ASCII they shadow. Bounded: the message shows 80 characters. */
function decodeTags(run: string): string {
  let said = '';
  for (const character of run.slice(0, longest)) {
    const code = (character.codePointAt(0) ?? 0) - 0xe0000;
    if (code >= 0x20 && code < 0x7f) said += String.fromCharCode(code);
  }
  return said;
}

/** U+FE00… stand for the bytes 0–15 and U+E0100… for 16–255 where text is smuggled in variation selectors. */
function selectorBytes(characters: readonly string[]): readonly number[] {
  return characters.slice(0, 400).flatMap((character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xfe00 && code <= 0xfe0f) return [code - 0xfe00];
    return code >= 0xe0100 && code <= 0xe01ef ? [code - 0xe0100 + 16] : [];
  });
}
