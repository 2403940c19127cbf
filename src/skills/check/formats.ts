// The values of `format` that we check, as JSON Schema means them. A format that is not here is refused at registration.
import { isUuid } from '../../values/uuid.ts';

/** Leap days are checked by counting, not by the pattern. */
const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const IPV4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/;
const HOST_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  'date-time': isDateTime,
  date: isDate,
  time: (text) => TIME.test(text),
  duration: (text) => /^P(?=\d|T\d)(\d+Y)?(\d+M)?(\d+W)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$/.test(text),
  email: (text) => text.length <= 320 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text),
  uuid: isUuid,
  uri: isUri,
  hostname: (text) => text.length <= 253 && text.split('.').every((label) => HOST_LABEL.test(label)),
  ipv4: (text) => IPV4.test(text),
  ipv6: (text) => text.includes(':') && !/[\s[\]%]/.test(text) && URL.canParse(`http://[${text}]/`),
  base64: (text) => BASE64.test(text),
  /** A hint to hosts: the field is secret. */
  password: () => true,
};

function isDateTime(text: string): boolean {
  return isDate(text.slice(0, 10)) && /^[Tt]$/.test(text.charAt(10)) && TIME.test(text.slice(11));
}

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  // Built from numbers: `Date.parse` would take 30 February as 2 March.
  const date = new Date(Date.UTC(2000, 0, 1));
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isUri(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*$/i.test(text) && (!/^https?:/i.test(text) || URL.canParse(text));
}
