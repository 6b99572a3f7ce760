import { RuntimeFailure } from '../../eval/failure.js';
import { toNumber } from '../../eval/integers.js';
import type { Int, Value } from '../../eval/values.js';
import { type Natives, none, some } from './native.js';

const DAY = 86_400;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** UTC, the range of JavaScript dates (years -271821 to 275760). */
function dateOf(time: Int): Date {
  const date = new Date(toNumber(time) * 1000);
  if (Number.isNaN(date.getTime())) throw new RuntimeFailure('RT003', `RT003: time ${time} is out of range`);
  return date;
}

function seconds(year: number, month: number, day: number, hour: number, minute: number, second: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  if (Number.isNaN(date.getTime())) throw new RuntimeFailure('RT003', 'RT003: date is out of range');
  return date.getTime() / 1000;
}

const daysIn = (year: number, month: number): number =>
  new Date(seconds(year, month + 1, 0, 0, 0, 0) * 1000).getUTCDate();

function addMonths(time: Int, count: Int): number {
  const date = dateOf(time);
  const months = date.getUTCFullYear() * 12 + date.getUTCMonth() + toNumber(count);
  const year = Math.floor(months / 12);
  const month = months - year * 12 + 1;
  const day = Math.min(date.getUTCDate(), daysIn(year, month));
  return seconds(year, month, day, date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds());
}

function startOfDay(time: Int): number {
  const value = toNumber(time);
  return value - (((value % DAY) + DAY) % DAY);
}

const two = (value: number): string => String(value).padStart(2, '0');

function isoDate(time: Int): string {
  const date = dateOf(time);
  const year = date.getUTCFullYear();
  const digits = String(Math.abs(year)).padStart(4, '0');
  return `${year < 0 ? '-' : ''}${digits}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

function rfc3339(time: Int): string {
  const date = dateOf(time);
  return `${isoDate(time)}T${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}Z`;
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d)))?$/;

/** A date, or with `withTime` a date and time with its zone; null when the text is something else or no such day exists. */
function parse(text: string, withTime: boolean): Value {
  const parts = RFC3339.exec(text);
  if (parts === null || (parts[4] !== undefined) !== withTime) return none;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const [offsetHours, offsetMinutes] = [Number(parts[8] ?? 0), Number(parts[9] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return none;
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return none;
  const offset = (offsetHours * 60 + offsetMinutes) * 60 * (parts[7] === '-' ? -1 : 1);
  return some(seconds(year, month, day, hour, minute, second) - offset);
}

export const datetimeNatives: Natives = {
  _datetime_year: (_depth, time: Int) => dateOf(time).getUTCFullYear(),
  _datetime_month: (_depth, time: Int) => dateOf(time).getUTCMonth() + 1,
  _datetime_day: (_depth, time: Int) => dateOf(time).getUTCDate(),
  _datetime_weekday: (_depth, time: Int) => dateOf(time).getUTCDay(),
  _datetime_hour: (_depth, time: Int) => dateOf(time).getUTCHours(),
  _datetime_minute: (_depth, time: Int) => dateOf(time).getUTCMinutes(),
  _datetime_second: (_depth, time: Int) => dateOf(time).getUTCSeconds(),
  _datetime_startOfDay: (_depth, time: Int) => startOfDay(time),
  _datetime_startOfWeek: (_depth, time: Int) => startOfDay(time) - ((dateOf(time).getUTCDay() + 6) % 7) * DAY,
  _datetime_startOfMonth: (_depth, time: Int) => startOfDay(time) - (dateOf(time).getUTCDate() - 1) * DAY,
  _datetime_addMonths: (_depth, time: Int, count: Int) => addMonths(time, count),
  _datetime_makeDateTime: (_depth, year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) =>
    seconds(toNumber(year), toNumber(month), toNumber(day), toNumber(hour), toNumber(minute), toNumber(second)),
  _datetime_formatISODate: (_depth, time: Int) => isoDate(time),
  _datetime_formatRFC3339: (_depth, time: Int) => rfc3339(time),
  _datetime_formatMonthShort: (_depth, time: Int) => MONTHS[dateOf(time).getUTCMonth()] ?? '',
  _datetime_formatWeekdayFull: (_depth, time: Int) => WEEKDAYS[dateOf(time).getUTCDay()] ?? '',
  _datetime_parseISODate: (_depth, text: string) => parse(text, false),
  _datetime_parseRFC3339: (_depth, text: string) => parse(text, true),
};
