// Text in columns: how wide it is on a terminal, cut or wrapped to a width. Pure; expects no control characters but colours.

/** Columns that a terminal needs: 2 for East Asian wide characters and emoji, 0 for combining marks and colours. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of withoutColours(text)) width += characterWidth(character);
  return width;
}

/** Of colours.ts. */
const withoutColours = (text: string): string => (text.includes('\u001b') ? text.replace(/\u001b\[\d+m/g, '') : text);

const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

function characterWidth(character: string): number {
  if (character <= '~') return 1;
  if (zeroWidth.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** At most `width` columns; what was left out is marked by `…`. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += characterWidth(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}

/** Lines of at most `width` columns, broken at spaces. What is to be copied stays whole: a long path, text in backticks. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(/`[^`]*`\S*|\S+/g) ?? []) {
    if (line !== '' && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** Wrapped, with `first` before the first line and as many spaces before the others. */
export function hangingText(first: string, text: string, width: number): readonly string[] {
  const indent = displayWidth(first);
  const lines = wrapText(text, Math.max(20, width - indent));
  return lines.map((line, index) => (index === 0 ? first : ' '.repeat(indent)) + line);
}

/** Blocks of lines with an empty line between; those without lines are left out. */
export function joinSections(sections: readonly (readonly string[])[]): string {
  const filled = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${filled.join('\n\n')}\n`;
}
