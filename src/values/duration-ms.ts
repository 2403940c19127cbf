// Durations as people write them: `90m`, `12h`, `30d`. Pure.

const UNITS = { m: 'minute', h: 'hour', d: 'day' } as const;
const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export const DURATION = /^[1-9]\d{0,4}[mhd]$/;

export const isDuration = (text: string): boolean => DURATION.test(text);

/** Of a text that is one. */
export const durationMs = (text: string): number =>
  Number.parseInt(text, 10) * UNIT_MS[text.slice(-1) as keyof typeof UNIT_MS];

/** After "in the last": `30 days`, `hour`. */
export function windowWords(text: string): string {
  const [count, unit] = [Number.parseInt(text, 10), UNITS[text.slice(-1) as keyof typeof UNITS]];
  return count === 1 ? unit : `${count} ${unit}s`;
}
