// Numbers, durations and times as people read them. Pure.
import { nounFor } from '../../../src/text/counted.ts';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const countText = (count: number): string => (count < 100_000 ? whole.format(count) : short.format(count));

export const plural = (count: number, one: string, many?: string): string =>
  `${countText(count)} ${nounFor(count, one, many)}`;

/** With its full stop, so that another may follow. */
export const asSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

export function percentText(share: number): string {
  if (share > 0.999 && share < 1) return '99.9%';
  return `${(share * 100).toFixed(share === 0 || share === 1 ? 0 : 1)}%`;
}

export function durationText(milliseconds: number): string {
  if (milliseconds < 1) return milliseconds === 0 ? '0 ms' : '<1 ms';
  // Each unit ends where it would round up to the next.
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1_000).toFixed(milliseconds < 9_995 ? 2 : 1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const minute = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dated = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });

/** The time of day; with the day when it is another one; only the day when it is of another year. */
export function timeText(moment: Date, now = new Date()): string {
  if (moment.toDateString() === now.toDateString()) return clock.format(moment);
  if (moment.getFullYear() !== now.getFullYear()) return dated.format(moment);
  return `${day.format(moment)} ${minute.format(moment)}`;
}

export const minuteText = (moment: Date): string => minute.format(moment);
export const dayText = (moment: Date): string => day.format(moment);
export const fullDayText = (moment: Date): string => weekday.format(moment);
export const fullTimeText = (moment: Date): string => full.format(moment);

const STEPS = [
  { unit: 'min', ms: 60_000 },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'd', ms: 86_400_000 },
] as const;

/** Further away than this a date says more than a count of days. */
const MOST_DAYS = 7;

/** "in 54 s" of what is to come within a minute; else as agoText. */
export function untilText(moment: Date, now = new Date()): string {
  const left = moment.getTime() - now.getTime();
  return left > 0 && left < 60_000 ? `in ${Math.ceil(left / 1_000)} s` : agoText(moment, now);
}

/** "3 min ago", "in 2 h"; a date where that is more than a week away. Clocks differ: what is seconds ahead is now. */
export function agoText(moment: Date, now = new Date()): string {
  const passed = now.getTime() - moment.getTime();
  const away = Math.abs(passed);
  const step = STEPS.findLast(({ ms }) => away >= ms);
  if (step === undefined) return 'just now';
  const count = Math.floor(away / step.ms);
  if (step.unit === 'd' && count >= MOST_DAYS)
    return (moment.getFullYear() === now.getFullYear() ? day : dated).format(moment);
  return passed > 0 ? `${count} ${step.unit} ago` : `in ${count} ${step.unit}`;
}
