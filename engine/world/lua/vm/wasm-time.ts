/**
 * Local time for Lua's `os.time` and `os.date`, in the layout of C's `struct tm`.
 */

type WasmMemoryViews = () => { readonly i32: Int32Array; readonly u8: Uint8Array };

const pad = (value: number, width = 2): string => String(value).padStart(width, '0');
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Fields of `struct tm`, each a 32-bit integer, in this order. */
interface TimeFields {
  readonly second: number;
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  /** Month, from 0. */
  readonly month: number;
  readonly year: number;
  readonly weekday: number;
  /** Day of the year, from 0. */
  readonly yearday: number;
}

function yearday(year: number, month: number, day: number): number {
  return Math.round((Date.UTC(year, month, day) - Date.UTC(year, 0, 1)) / 86_400_000);
}

function isSummerTime(date: Date): boolean {
  const offsets = [0, 6].map((month) => new Date(date.getFullYear(), month, 1).getTimezoneOffset());
  return date.getTimezoneOffset() < Math.max(...offsets);
}

function readFields(i32: Int32Array, address: number): TimeFields {
  const at = (index: number): number => i32[(address >> 2) + index] ?? 0;
  return {
    second: at(0),
    minute: at(1),
    hour: at(2),
    day: at(3),
    month: at(4),
    year: at(5) + 1900,
    weekday: at(6),
    yearday: at(7),
  };
}

/** Returns the week of the year, for weeks that start on Sunday (0) or Monday (1). */
function weekNumber({ yearday: day, weekday }: TimeFields, firstDay: 0 | 1): number {
  return Math.floor((day + 7 - ((weekday - firstDay + 7) % 7)) / 7);
}

/** Returns the ISO 8601 year and week. A week belongs to the year of its Thursday. */
function isoWeek({ year, month, day, weekday }: TimeFields): { readonly year: number; readonly week: number } {
  const thursday = new Date(Date.UTC(year, month, day + 4 - (weekday || 7)));
  const start = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return {
    year: thursday.getUTCFullYear(),
    week: Math.floor((thursday.getTime() - start) / (7 * 86_400_000)) + 1,
  };
}

function zoneOffset({ year, month, day, hour, minute }: TimeFields): string {
  const offset = -new Date(year, month, day, hour, minute).getTimezoneOffset();
  const size = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}${pad(size % 60)}`;
}

const formats: Readonly<Record<string, string | ((time: TimeFields) => string)>> = {
  a: ({ weekday }) => (days[weekday] ?? '?').slice(0, 3),
  A: ({ weekday }) => days[weekday] ?? '?',
  b: ({ month }) => (months[month] ?? '?').slice(0, 3),
  B: ({ month }) => months[month] ?? '?',
  c: '%a %b %e %H:%M:%S %Y',
  C: ({ year }) => pad(Math.floor(year / 100)),
  d: ({ day }) => pad(day),
  D: '%m/%d/%y',
  e: ({ day }) => String(day).padStart(2),
  F: '%Y-%m-%d',
  g: (time) => pad(isoWeek(time).year % 100),
  G: (time) => String(isoWeek(time).year),
  h: '%b',
  H: ({ hour }) => pad(hour),
  I: ({ hour }) => pad(hour % 12 || 12),
  j: ({ yearday: day }) => pad(day + 1, 3),
  m: ({ month }) => pad(month + 1),
  M: ({ minute }) => pad(minute),
  n: () => '\n',
  p: ({ hour }) => (hour < 12 ? 'AM' : 'PM'),
  r: '%I:%M:%S %p',
  R: '%H:%M',
  S: ({ second }) => pad(second),
  t: () => '\t',
  T: '%H:%M:%S',
  u: ({ weekday }) => String(weekday || 7),
  U: (time) => pad(weekNumber(time, 0)),
  V: (time) => pad(isoWeek(time).week),
  w: ({ weekday }) => String(weekday),
  W: (time) => pad(weekNumber(time, 1)),
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  y: ({ year }) => pad(year % 100),
  Y: ({ year }) => String(year),
  z: zoneOffset,
  Z: (time) => `GMT${zoneOffset(time)}`,
  '%': () => '%',
};

function formatTime(format: string, time: TimeFields): string {
  return format.replace(/%[EO]?(.)/g, (whole, letter: string) => {
    const rule = formats[letter];
    if (rule === undefined) return whole;
    return typeof rule === 'string' ? formatTime(rule, time) : rule(time);
  });
}

function textAt(u8: Uint8Array, address: number): string {
  return new TextDecoder().decode(u8.subarray(address, u8.indexOf(0, address)));
}

/** Returns the module's imports for time functions. */
export function timeImports(views: WasmMemoryViews): Record<string, (...args: never[]) => unknown> {
  const write = (address: number, fields: readonly number[]): void => views().i32.set(fields, address >> 2);
  const writeLocal = (address: number, date: Date): void => {
    const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
    const clock = [date.getSeconds(), date.getMinutes(), date.getHours()];
    const rest = [date.getDay(), yearday(year, month, day), Number(isSummerTime(date))];
    write(address, [...clock, day, month, year - 1900, ...rest]);
  };
  return {
    emscripten_date_now: () => Date.now(),
    _emscripten_get_now_is_monotonic: () => 0,
    _tzset_js: () => undefined,
    _gmtime_js: (seconds: bigint, address: number) => {
      const date = new Date(Number(seconds) * 1000);
      const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
      const clock = [date.getUTCSeconds(), date.getUTCMinutes(), date.getUTCHours()];
      write(address, [...clock, day, month, year - 1900, date.getUTCDay(), yearday(year, month, day), 0]);
    },
    _localtime_js: (seconds: bigint, address: number) => writeLocal(address, new Date(Number(seconds) * 1000)),
    _mktime_js: (address: number) => {
      const { year, month, day, hour, minute, second } = readFields(views().i32, address);
      const date = new Date(0);
      date.setFullYear(year, month, day);
      date.setHours(hour, minute, second, 0);
      if (Number.isNaN(date.getTime())) return -1n;
      // Writes back normalized fields: month 14 becomes February of the next year.
      writeLocal(address, date);
      return BigInt(Math.floor(date.getTime() / 1000));
    },
    strftime: (...[target, space, format, time]: number[]) => {
      const { i32, u8 } = views();
      const bytes = new TextEncoder().encode(formatTime(textAt(u8, format ?? 0), readFields(i32, time ?? 0)));
      if (bytes.length >= (space ?? 0)) return 0;
      u8.set(bytes, target ?? 0);
      u8[(target ?? 0) + bytes.length] = 0;
      return bytes.length;
    },
  };
}
