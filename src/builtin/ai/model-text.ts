// Texts that people or a model wrote, as they may stand in an answer of ours: nothing invisible that steers a terminal or a
// database.

/** Controls, halves of characters, and what turns the direction of the text around it. */
const UNWANTED = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** On one line. */
export const lineOf = (text: string): string => text.replace(UNWANTED, ' ').replace(/\s+/g, ' ').trim();

/** Line breaks and tabs stay. */
export const paragraphsOf = (text: string): string =>
  text.replace(UNWANTED, (found) => (found === '\n' || found === '\t' ? found : ' ')).trim();

/** At most that many characters, counted in code points (B5). */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}

/** The JSON object in what a model said: models like to put a sentence before it, or a fence around it. */
export function findJsonObject(text: string): unknown {
  const start = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (start === -1 || end < start) return undefined;
  try {
    return JSON.parse(text.slice(start, end + 1));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
