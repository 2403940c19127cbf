// A suggestion: what is published, and what of a model's answer may become one.
import { z } from 'zod';
import { findJsonObject } from './json-in-text.ts';
import { lineOf, paragraphsOf } from './plain-text.ts';

export const suggestionItem = z.object({
  title: z.string(),
  description: z.string().nullable(),
  priority: z.int().min(1).max(5),
  confidence: z.number().min(0).max(1),
});

export type Suggestion = z.infer<typeof suggestionItem>;

const answered = z.object({ suggestions: z.array(z.unknown()) });

/** What a model may fill in; the lengths count after the cleaning, because that is what people get. */
export const modelTitle = z
  .string()
  .transform(lineOf)
  .refine((title) => title !== '' && [...title].length <= 200);

export const modelDescription = z
  .string()
  .transform(paragraphsOf)
  .refine((text) => [...text].length <= 2_000)
  .nullish()
  .transform((text) => text || null);

const modelSuggestion = suggestionItem.extend({ title: modelTitle, description: modelDescription });

/** The good ones, at most `count`; `undefined` when there is none. */
export function parseSuggestions(text: string, count: number): readonly Suggestion[] | undefined {
  const listed = answered.safeParse(findJsonObject(text)).data?.suggestions ?? [];
  const good = listed.flatMap((each) => modelSuggestion.safeParse(each).data ?? []).slice(0, count);
  return good.length === 0 ? undefined : good;
}
