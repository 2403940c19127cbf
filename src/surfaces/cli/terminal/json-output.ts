// JSON for standard output: the same value, with every character that could steer a terminal written as \u….

/** JSON.stringify escapes C0 only; DEL, C1, bidirectional marks and invisible tags would go through. */
const steering = /[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

export function toJsonText(value: unknown, indent = 2): string {
  return `${JSON.stringify(value, null, indent).replace(steering, escapeUnits)}\n`;
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
    .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
    .join('');
}
