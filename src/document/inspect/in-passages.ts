// Runs a check only where its trigger words stand: most texts cost a rule no more than a few substring searches.
import type { InspectionRule, Sighting } from './finding.ts';
import { lastAtOrBefore, type Passage, type PassageKind, type SourceText } from './source-text.ts';

export interface PassageCheck {
  readonly rule: string;
  /** Lower case. A passage without any of them is never looked at, so each shape that `check` knows must have one in it. */
  readonly triggers: readonly string[];
  readonly kinds: readonly PassageKind[];
  /** Sightings with offsets into the passage's text. */
  readonly check: (passage: Passage) => Iterable<Sighting>;
}

export function inPassages({ rule, triggers, kinds, check }: PassageCheck): InspectionRule {
  return {
    rule,
    *find(source) {
      for (const passage of passagesWith(source, triggers)) {
        if (!kinds.includes(passage.kind)) continue;
        for (const sighting of check(passage)) {
          yield sighting === 'spared' ? sighting : { ...sighting, index: passage.start + sighting.index };
        }
      }
    },
  };
}

function passagesWith(source: SourceText, triggers: readonly string[]): readonly Passage[] {
  const found = triggers.filter((trigger) => source.lowerCase.includes(trigger));
  if (found.length === 0) return [];
  const starts = source.passages.map((passage) => passage.start);
  const wanted = new Set<number>();
  for (const trigger of found) {
    let at = source.lowerCase.indexOf(trigger);
    while (at !== -1) {
      const number = lastAtOrBefore(starts, at);
      wanted.add(number);
      at = source.lowerCase.indexOf(trigger, Math.max(at + 1, source.passages[number]?.end ?? 0));
    }
  }
  return [...wanted].sort((a, b) => a - b).flatMap((number) => source.passages[number] ?? []);
}
