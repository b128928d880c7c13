/**
 * When a trigger is due next, and when it would have fired last week compared with what it did.
 */
import { Clock } from 'lucide-react';
import { useMemo } from 'react';
import { nextTimes, type ScheduleDoc } from '../../../engine/isomorphic.ts';
import { soonText } from '../../card/trigger/trigger-words.ts';
import type { ListedFiring } from '../../stores/workspace/triggers.ts';
import { language } from '../../ui/language.ts';
import { waitText } from '../../ui/quantity-text.ts';
import { StateIcon, type VisualState } from '../../ui/state-icon.tsx';
import { useNow } from '../../ui/use-now.ts';
import { Group } from '../fields/setting-rows.tsx';
import { nextClockChange, type PastTime, pastTimes, type TimeOutcome, weekMs } from './schedule-times.ts';
import { text } from './text.ts';
import './triggers.css';

const tickMs = 30_000;
const nextCount = 5;
/** With more times, they are counted instead of listed. */
const mostListed = 10;

const minuteMs = 60_000;

/** The icon of what became of a firing. */
export const outcomeIcons: Readonly<Record<TimeOutcome, VisualState>> = {
  started: 'completed',
  waiting: 'queued',
  skipped: 'skipped',
  missed: 'skipped',
  refused: 'failed',
  canceled: 'cancelled',
  off: 'disabled',
};

function zoneOf(schedule: ScheduleDoc): string | undefined {
  return 'cron' in schedule ? (schedule.timezone ?? 'UTC') : undefined;
}

/** Formats a day and a time: `Mon 30 Nov, 07:30`. */
function dayText(at: number, zone: string | undefined): string {
  const locale = language === 'de' ? 'de' : 'en-GB';
  const timeZone = zone === undefined ? {} : { timeZone: zone };
  const day = new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short', ...timeZone });
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', ...timeZone });
  return `${day.format(at).replace(/^(\p{L}+),/u, '$1')}, ${time.format(at)}`;
}

export function NextTimes({ schedule }: { readonly schedule: ScheduleDoc }) {
  const now = useNow(true, tickMs);
  const zone = zoneOf(schedule);
  const minute = Math.floor(now / minuteMs);
  const times = useMemo(() => nextTimes(schedule, minute * minuteMs, nextCount), [schedule, minute]);
  const change = useMemo(() => (zone === undefined ? undefined : changeText(zone, minute * minuteMs)), [zone, minute]);
  return (
    <Group title={text.next} note={change}>
      {times.length === 0 ? <p className="inspector-quiet">{text.nextNone}</p> : null}
      <ol className="trigger-times">
        {times.map((time, index) => (
          <li key={time}>
            <Clock aria-hidden size={14} strokeWidth={1.3} absoluteStrokeWidth />
            <span>{dayText(time, zone)}</span>
            {index > 0 ? null : (
              <small>{time - now < minuteMs ? text.soon : text.inTime({ time: waitText(time - now) })}</small>
            )}
          </li>
        ))}
      </ol>
    </Group>
  );
}

function changeText(zone: string, now: number): string | undefined {
  const at = nextClockChange(zone, now);
  if (at === undefined) return undefined;
  const format = new Intl.DateTimeFormat(language === 'de' ? 'de' : 'en-GB', {
    day: 'numeric',
    month: 'long',
    timeZone: zone,
  });
  return text.clockChange({ day: format.format(at) });
}

interface LastWeekProps {
  /** Undefined for triggers without times. */
  readonly schedule: ScheduleDoc | undefined;
  /** Firings of the trigger, newest first. */
  readonly firings: readonly ListedFiring[];
}

/** Compares last week's times with what happened; for other triggers, counts what happened. */
export function LastWeek({ schedule, firings }: LastWeekProps) {
  const now = useNow(true, tickMs);
  const minute = Math.floor(now / minuteMs);
  const times = useMemo(
    () => (schedule === undefined ? recentOf(firings, minute) : pastTimes(schedule, firings, minute * minuteMs)),
    [schedule, firings, minute],
  );
  const ran = times.filter(({ outcome }) => outcome === 'started').length;
  const none = schedule === undefined ? text.noFirings : text.pastNone;
  return (
    <Group
      title={schedule === undefined ? text.pastFirings : text.past}
      note={times.length === 0 ? undefined : text.pastCount({ count: times.length, ran })}
    >
      {times.length === 0 ? <p className="inspector-quiet">{none}</p> : null}
      <ul className="trigger-times">
        {times.length <= mostListed && schedule !== undefined
          ? times.map((time) => <PastRow key={time.dueAt} time={time} zone={zoneOf(schedule)} />)
          : countsOf(times).map(([outcome, count]) => (
              <li key={outcome}>
                <StateIcon state={outcomeIcons[outcome]} isDecorative />
                <span>{text.counted({ count, outcome: text.outcomes[outcome] })}</span>
              </li>
            ))}
      </ul>
    </Group>
  );
}

function recentOf(firings: readonly ListedFiring[], minute: number): readonly PastTime[] {
  const recent = firings.filter(({ createdAt }) => createdAt > minute * minuteMs - weekMs);
  return recent.map((firing) => ({ dueAt: firing.createdAt, outcome: firing.state, firing }));
}

function countsOf(times: readonly PastTime[]): readonly (readonly [TimeOutcome, number])[] {
  const counts = new Map<TimeOutcome, number>();
  for (const { outcome } of times) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts];
}

function PastRow({ time, zone }: { readonly time: PastTime; readonly zone: string | undefined }) {
  const { dueAt, outcome, startedAt, firing } = time;
  const day = dayText(dueAt, zone);
  return (
    <li title={firing?.reason}>
      <StateIcon state={outcomeIcons[outcome]} isDecorative />
      <span>{startedAt === undefined ? day : text.insteadAt({ day, time: soonText(startedAt, dueAt, zone) })}</span>
      <small>{outcome === 'off' ? text.wasOff : (firing?.reason ?? text.outcomes[outcome])}</small>
    </li>
  );
}
