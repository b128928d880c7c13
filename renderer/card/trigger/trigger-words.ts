/**
 * Describes triggers in a few words: what they wait for, and what they have done.
 */
import { type TriggerDoc, triggerKindOf } from '../../../engine/isomorphic.ts';
import { type ListedFiring, type ListedTrigger, mostFirings } from '../../stores/workspace/triggers.ts';
import { language, numberText } from '../../ui/language.ts';
import { type IntervalUnit, scheduleShape } from './schedule-shape.ts';
import { text } from './text.ts';

/** A part of a sentence. Chips contain text of the file. */
export type TriggerPart = string | { readonly chip: string };

const words = text.sentence;
const locale = language === 'de' ? 'de' : 'en';

/** Returns the kind of a trigger in words. */
export function kindText(doc: TriggerDoc): string {
  const kind = triggerKindOf(doc);
  return kind === undefined ? '' : text.kinds[kind];
}

/** Returns a sentence about what a trigger waits for. */
export function triggerSentence({ schedule, files, webhook, after }: TriggerDoc): readonly TriggerPart[] {
  if (schedule !== undefined) return scheduleSentence(schedule);
  if (files !== undefined) return filesSentence(files);
  if (webhook !== undefined) return webhookSentence(webhook);
  return [after === undefined ? words.none : afterSentence(after)];
}

/** Returns the sentence without chips. */
export function triggerText(doc: TriggerDoc): string {
  return triggerSentence(doc)
    .map((part) => (typeof part === 'string' ? part : part.chip))
    .join('');
}

/** Puts chips in place of their names in braces. */
function withChips(sentence: string, chips: Readonly<Record<string, string>>): readonly TriggerPart[] {
  const parts = sentence
    .split(/\{(\w+)\}/)
    .map((part, index) => (index % 2 === 1 ? { chip: chips[part] ?? '' } : part));
  return parts.filter((part) => part !== '');
}

const everyText: Readonly<Record<IntervalUnit, (values: { readonly count: number }) => string>> = {
  s: words.everySeconds,
  m: words.everyMinutes,
  h: words.everyHours,
  d: words.everyDays,
};

function scheduleSentence(schedule: NonNullable<TriggerDoc['schedule']>): readonly TriggerPart[] {
  const shape = scheduleShape(schedule);
  if (shape.kind === 'every') return [everyText[shape.unit]({ count: shape.count })];
  const place = placeText(shape.zone);
  if (shape.kind === 'cron') return withChips(words.cron({ place }), { cron: shape.cron });
  if (shape.kind === 'daily') return [words.daily({ time: shape.time, place })];
  return [words.weekly({ days: daysText(shape.days), time: shape.time, place })];
}

/** Returns the city of a time zone. */
function placeText(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** 1970-01-04 was a Sunday. */
const firstSunday = 3 * 86_400_000;

/** Returns the name of a weekday of cron. */
export function weekdayText(day: number, weekday: 'long' | 'short'): string {
  const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' });
  return format.format(firstSunday + day * 86_400_000);
}

/** @param days in the order of the week, beginning with Monday */
function daysText(days: readonly number[]): string {
  const names = days.map((day) => weekdayText(day, 'long'));
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const isRange =
    days.length > 2 && days.every((day, index) => index === 0 || (days[index - 1] ?? 0) + 1 === (day || 7));
  return isRange ? words.range({ first, last }) : new Intl.ListFormat(locale).format(names);
}

function filesSentence({ glob, on, debounce, batch }: NonNullable<TriggerDoc['files']>): readonly TriggerPart[] {
  const kinds = on ?? ['created', 'changed'];
  const [only = 'created'] = kinds;
  const isBoth = kinds.length === 2 && !kinds.includes('deleted');
  const first = kinds.length === 1 ? words.files[only] : isBoth ? words.files.several : words.files.all;
  const rest = [
    debounce === undefined ? '' : words.quiet({ time: spaced(debounce) }),
    batch === true ? words.together : '',
  ];
  return withChips(first + rest.join(''), { glob });
}

function spaced(duration: string): string {
  return duration.replace(/(?<=\d)(?=[a-z])/, '\u00a0');
}

const signers = { github: 'GitHub', stripe: 'Stripe', slack: 'Slack' } as const;

function webhookSentence(webhook: NonNullable<TriggerDoc['webhook']>): readonly TriggerPart[] {
  const { path, method = 'POST', secret, signature } = webhook;
  const sentence =
    signature !== undefined
      ? words.signed({ name: signers[signature.style] })
      : secret === undefined
        ? words.unprotected
        : words.secret;
  // The path is part of the sentence, and only the method is a chip.
  return withChips(sentence, { method, path }).map((part) =>
    typeof part === 'object' && part.chip === path ? path : part,
  );
}

function afterSentence({ flow, status = ['completed'] }: NonNullable<TriggerDoc['after']>): string {
  const name = (flow.split('/').at(-1) ?? flow).replace(/\.(?:flow|step)\.ya?ml$/, '');
  const [only = 'completed'] = status;
  return status.length === 1 ? words.after[only]({ name }) : words.after.several({ name });
}

/** The last line of a card. */
export interface TriggerFooter {
  readonly left: string;
  readonly right: string;
  /** `attention`: a person should look at it. */
  readonly tone: 'plain' | 'attention';
}

interface FooterSource {
  readonly doc: TriggerDoc;
  /** Undefined if the saved file has no such trigger. */
  readonly entry: ListedTrigger | undefined;
  /** Firings of this trigger, newest first. */
  readonly firings: readonly ListedFiring[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** Returns the number of a run; undefined if it is not known. */
  readonly numberOf: (runId: string) => number | undefined;
}

/** Returns why a trigger cannot be switched on. One that is on can always be switched off. */
export function lockReason(entry: ListedTrigger | undefined): string | undefined {
  if (entry === undefined || entry.state !== 'off') return undefined;
  return entry.needsTrust === true ? text.needsTrust : entry.problem;
}

/** Describes what a trigger does next, or has done. */
export function triggerFooter({ doc, entry, firings, now, numberOf }: FooterSource): TriggerFooter {
  const { footer } = text;
  if (entry === undefined) return { left: footer.notSaved, right: '', tone: 'plain' };
  const tone = entry.state === 'off' ? 'plain' : 'attention';
  if (entry.needsTrust === true) return { left: footer.untrusted, right: '', tone };
  if (entry.problem !== undefined) return { left: footer.unusable, right: '', tone };
  if (entry.state === 'off') return { left: footer.off, right: '', tone };
  if (entry.state === 'changed') return { left: footer.changed, right: '', tone: 'attention' };
  const today = firings.filter(({ createdAt }) => new Date(createdAt).toDateString() === new Date(now).toDateString());
  const refused = today.filter(({ state }) => state === 'refused').length;
  const count = today.length === mostFirings ? text.more({ count: today.length }) : numberText(today.length);
  return {
    left: doc.schedule === undefined ? lastText(firings[0], now, numberOf) : nextText(entry, now),
    right:
      refused > 0 ? footer.refused({ count: numberText(refused) }) : today.length === 0 ? '' : footer.today({ count }),
    tone: refused > 0 ? 'attention' : 'plain',
  };
}

function nextText({ dueAt, doc: { schedule } }: ListedTrigger, now: number): string {
  if (dueAt === undefined) return text.footer.never;
  const zone = schedule !== undefined && 'cron' in schedule ? schedule.timezone : undefined;
  return text.footer.next({ time: soonText(dueAt, now, zone) });
}

function lastText(last: ListedFiring | undefined, now: number, numberOf: FooterSource['numberOf']): string {
  if (last === undefined) return text.footer.waiting;
  const time = soonText(last.createdAt, now);
  const number = last.runId === undefined ? undefined : numberOf(last.runId);
  return number === undefined ? text.footer.fired({ time }) : text.footer.ran({ time, number: numberText(number) });
}

/**
 * Formats a time near `now`: `07:30` today, `Mon 07:30` within a week, or else `30 Nov, 07:30`.
 * @param zone that of the computer if undefined
 */
export function soonText(at: number, now: number, zone?: string): string {
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(language === 'de' ? 'de' : 'en-GB', {
      ...options,
      ...(zone === undefined ? {} : { timeZone: zone }),
    });
  const time = format({ hour: '2-digit', minute: '2-digit' }).format(at);
  const day = format({ dateStyle: 'short' });
  if (day.format(at) === day.format(now)) return time;
  if (Math.abs(at - now) < 6 * 86_400_000) return `${format({ weekday: 'short' }).format(at)} ${time}`;
  return `${format({ day: 'numeric', month: 'short' }).format(at)}, ${time}`;
}
