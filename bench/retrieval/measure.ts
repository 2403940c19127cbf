// Asks every engine every query of one half; one row per engine and kind. Pure, apart from the engines' own work.
import type { SkillDocument } from './documents.ts';
import { type EngineName, engines } from './engines.ts';
import { type Scores, scoresOf } from './metrics.ts';
import { type Query, type QueryKind, queryKinds } from './queries.ts';

export interface Row {
  readonly engine: EngineName;
  readonly kind: QueryKind;
  readonly scores: Scores;
}

export function measure(
  documents: readonly SkillDocument[],
  queries: readonly Query[],
  kinds: readonly QueryKind[] = queryKinds,
): readonly Row[] {
  const names = Object.keys(engines) as EngineName[];
  return names.flatMap((engine) => {
    const ask = engines[engine](documents);
    return kinds.map((kind) => ({
      engine,
      kind,
      scores: scoresOf(
        queries
          .filter((query) => query.kind === kind)
          .map(({ id, text, relevant }) => ({ id, relevant, ranked: ask(text) })),
      ),
    }));
  });
}
