// Durations and moments as people read them, in their own time zone. Pure.

/** Three digits say enough. */
export function durationText(ms: number): string {
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(Math.round(ms) / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}

/** `01-31 14:03:05` */
export const secondText = (date: Date): string => `${dayText(date)} ${clockText(date)}:${two(date.getSeconds())}`;

/** `2026-01-31 14:03` */
export const minuteText = (date: Date): string => `${date.getFullYear()}-${dayText(date)} ${clockText(date)}`;

const dayText = (date: Date): string => `${two(date.getMonth() + 1)}-${two(date.getDate())}`;

const clockText = (date: Date): string => `${two(date.getHours())}:${two(date.getMinutes())}`;

const two = (part: number): string => String(part).padStart(2, '0');
