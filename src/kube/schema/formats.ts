/** The string formats a custom resource's schema can ask for; names are compared without dashes (`date-time`). */
import { isIP, isIPv6 } from 'node:net';

/** Whether `format` is one that is checked at all; others are notes to the reader. */
export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(CHECKS, normal(format));
}

export function matchesFormat(format: string, text: string): boolean {
  return CHECKS[normal(format)]?.(text) ?? true;
}

function normal(format: string): string {
  return format.includes('-') ? format.replaceAll('-', '') : format;
}

const LABEL = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;

const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: matches(/^[0-9a-f]{24}$/i),
  uri: isRequestUri,
  email: matches(/^(?:[^<>]*<)?[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+>?$/),
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: (text) => isIPv6(text) && !text.includes('%'),
  cidr: isCidr,
  mac: matches(
    /^(?:(?:[0-9a-f]{2}[:-]){5}|(?:[0-9a-f]{2}[:-]){7}|(?:[0-9a-f]{2}[:-]){19})[0-9a-f]{2}$|^(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}$/i,
  ),
  uuid: matches(UUID),
  uuid3: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: matches(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/),
  hexcolor: matches(/^#?(?:[0-9a-f]{3}|[0-9a-f]{6})$/i),
  rgbcolor: matches(
    /^rgb\((?:\s*(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\s*,){2}\s*(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])\s*\)$/,
  ),
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && new RegExp(`^${LABEL}$`).test(text),
  k8slongname: (text) => text.length <= 253 && new RegExp(`^${LABEL}(?:\\.${LABEL})*$`).test(text),
};

function matches(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

/** An absolute URI, or an absolute path. */
function isRequestUri(text: string): boolean {
  if (/[\s\p{Cc}]/u.test(text)) return false;
  return text.startsWith('/') || /^[a-z][a-z0-9+.-]*:\S/i.test(text);
}

const HOSTNAME =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|(?:[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;

function isHostname(text: string): boolean {
  return HOSTNAME.test(text) && Buffer.byteLength(text) <= 255 && text.split('.').every((part) => part.length <= 63);
}

/** Leading zeros are tolerated, as old objects may have them. */
function isIpv4(text: string): boolean {
  if (text.includes(':')) return isIPv6(text) && text.includes('.');
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d+$/.test(part) && Number(part) <= 255);
}

function isCidr(text: string): boolean {
  const [address = '', bits = '', ...rest] = text.split('/');
  const version = isIpv4(address) && !address.includes(':') ? 4 : isIP(address);
  return rest.length === 0 && version !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  return (
    digits.split('').reduce((sum, digit, at) => sum + (at + 1) * (digit === 'X' ? 10 : Number(digit)), 0) % 11 === 0
  );
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  return digits.split('').reduce((sum, digit, at) => sum + Number(digit) * (at % 2 === 0 ? 1 : 3), 0) % 10 === 0;
}

const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  if (!CARD.test(digits)) return false;
  const sum = digits
    .split('')
    .reverse()
    .reduce((sum, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
      return sum + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  if (!match) return false;
  const [, year, month, day] = match.map(Number);
  if (year === undefined || month === undefined || day === undefined || month < 1 || month > 12) return false;
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function isDateTime(text: string): boolean {
  const [date = '', time, ...rest] = text.toLowerCase().split('t');
  const match = /^(\d\d):(\d\d):(\d\d)(?:.\d+)?(?:z|[+-]\d\d:\d\d)$/.exec(time ?? '');
  if (!match || rest.length > 0 || !isDate(date)) return false;
  return Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}

const GO_DURATION = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const WORDY_DURATION =
  /\d+\s*(?:ns|nano[a-z]*|us|µs|micro[a-z]*|ms|milli[a-z]*|s|sec[a-z]*|m|min[a-z]*|h|hr|hour[a-z]*|d|day[a-z]*|w|wk|week[a-z]*)(?![a-zµ])/i;

/** As Go reads durations, or in the longer words Scala reads (`22 ns`, `3 days`). */
function isDuration(text: string): boolean {
  return GO_DURATION.test(text) || WORDY_DURATION.test(text);
}
