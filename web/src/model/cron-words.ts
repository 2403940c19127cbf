// Five cron fields in words: "every day at 03:00". What has no plain words is told as it is written. Pure.

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = [
  ...['', 'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October'],
  ...['November', 'December'],
];

/** `undefined`: there are no plain words for it. */
export function cronWords(cron: string): string | undefined {
  const fields = cron.trim().split(/\s+/);
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  const time = timeWords(minute, hour);
  const date = dateWords(day, month, weekday);
  if (fields.length !== 5 || time === undefined || date === undefined) return undefined;
  if (time.isOfDay) return `${date === '' ? 'every day' : date} ${time.words}`;
  return date === '' ? time.words : `${time.words}, ${date}`;
}

interface TimeWords {
  readonly words: string;
  /** One or more moments of a day, not an interval. */
  readonly isOfDay: boolean;
}

function timeWords(minute: string, hour: string): TimeWords | undefined {
  if (isWhole(minute) && /^\d+(,\d+)*$/.test(hour)) {
    const times = hour.split(',').map((each) => `${pad(each)}:${pad(minute)}`);
    return { words: `at ${listText(times)}`, isOfDay: true };
  }
  const words = intervalWords(minute, hour);
  return words === undefined ? undefined : { words, isOfDay: false };
}

function intervalWords(minute: string, hour: string): string | undefined {
  const minuteStep = stepOf(minute, 60);
  const hourStep = stepOf(hour, 24);
  if (hour === '*' && minuteStep !== undefined)
    return minuteStep === 1 ? 'every minute' : `every ${minuteStep} minutes`;
  if (!isWhole(minute)) return undefined;
  const past = minute === '0' || minute === '00' ? '' : ` at ${Number(minute)} past`;
  if (hour === '*') return `every hour${past}`;
  return hourStep === undefined ? undefined : `every ${hourStep} hours${past}`;
}

/** `*` is 1; only steps that divide the whole evenly are "every". */
function stepOf(field: string, whole: number): number | undefined {
  if (field === '*') return 1;
  const step = Number(/^\*\/(\d+)$/.exec(field)?.[1]);
  return step > 0 && step < whole && whole % step === 0 ? step : undefined;
}

/** Empty: every day. */
function dateWords(day: string, month: string, weekday: string): string | undefined {
  // Where both are given either makes a day: no plain words for that.
  if (isAny(day) && isAny(weekday)) return month === '*' ? '' : monthsOnly(month);
  if (!isAny(day) && !isAny(weekday)) return undefined;
  const inMonths = month === '*' ? '' : namesOf(month, MONTHS);
  if (inMonths === undefined) return undefined;
  const end = inMonths === '' ? '' : ` of ${inMonths}`;
  if (isAny(weekday))
    return isNumbers(day)
      ? `on the ${listText(day.split(',').map(ordinal))}${end === '' ? ' of every month' : end}`
      : undefined;
  const days = namesOf(weekday, DAYS);
  if (days === undefined) return undefined;
  return `${weekday.includes('-') ? '' : 'every '}${days}${inMonths === '' ? '' : ` in ${inMonths}`}`;
}

/** "1st", "22nd", "13th". */
function ordinal(text: string): string {
  const number = Number(text);
  const isTeen = number >= 11 && number <= 13;
  return `${number}${(isTeen ? undefined : ENDINGS[number % 10]) ?? 'th'}`;
}

const ENDINGS: Readonly<Record<number, string>> = { 1: 'st', 2: 'nd', 3: 'rd' };

function monthsOnly(month: string): string | undefined {
  const names = namesOf(month, MONTHS);
  return names === undefined ? undefined : `every day in ${names}`;
}

/** "Monday", "Monday and Friday", "Monday to Friday"; of numbers and of short names. */
function namesOf(field: string, names: readonly string[]): string | undefined {
  const parts = field.split(',').map((part) => {
    const [from = '', to, more] = part.split('-').map((each) => nameOf(each, names) ?? '');
    if (from === '' || to === '' || more !== undefined) return undefined;
    return to === undefined ? from : `${from} to ${to}`;
  });
  const found = parts.filter((part) => part !== undefined);
  return found.length === parts.length ? listText(found) : undefined;
}

function nameOf(text: string, names: readonly string[]): string | undefined {
  if (/^\d{1,2}$/.test(text)) return names[Number(text)];
  return /^[a-z]{3}$/i.test(text)
    ? names.find((name) => name.slice(0, 3).toLowerCase() === text.toLowerCase())
    : undefined;
}

const isAny = (field: string): boolean => field === '*' || field === '?';
const isWhole = (field: string): boolean => /^\d{1,2}$/.test(field);
const isNumbers = (field: string): boolean => /^\d{1,2}(,\d{1,2})*$/.test(field);
const pad = (text: string): string => String(Number(text)).padStart(2, '0');

const listText = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
