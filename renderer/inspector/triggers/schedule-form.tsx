/**
 * When a schedule is due: as an interval, a time of day, days of the week, or a cron expression.
 */
import { useState } from 'react';
import type { JsonValue, ScheduleDoc } from '../../../engine/isomorphic.ts';
import {
  type IntervalUnit,
  intervalUnits,
  type ScheduleShape,
  scheduleOf,
  scheduleShape,
  weekdays,
} from '../../card/trigger/schedule-shape.ts';
import { weekdayText } from '../../card/trigger/trigger-words.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { useAhead } from '../fields/use-ahead.ts';
import { offsetText } from './schedule-times.ts';
import { text } from './text.ts';
import { CheckedText, Choice, OptionalNumber, Toggles } from './trigger-controls.tsx';

interface ScheduleFormProps {
  readonly schedule: ScheduleDoc;
  readonly problemAt: (key: string) => string | undefined;
  readonly onChange: (schedule: ScheduleDoc, mergeKey?: string) => Promise<boolean>;
}

const shapes = ['every', 'daily', 'weekly', 'cron'] as const;

export function ScheduleForm({ schedule, problemAt, onChange }: ScheduleFormProps) {
  // A schedule such as `0 9 * * *` can be edited as a cron expression, too.
  const [isCron, setIsCron] = useState(false);
  // Several fields write one expression. A change right after another one must not undo it.
  const [ahead, change] = useAhead(schedule as unknown as JsonValue, (next, mergeKey) =>
    onChange(next as unknown as ScheduleDoc, mergeKey),
  );
  const shown = ahead as unknown as ScheduleDoc;
  const read = scheduleShape(shown);
  const shape = isCron && read.kind !== 'every' ? asCron(read) : read;
  const write = (next: ScheduleShape, mergeKey?: string): Promise<boolean> => change(scheduleOf(next), mergeKey);
  return (
    <>
      <div>
        <span className="field-label">{text.repeats}</span>
        <Segmented
          label={text.repeats}
          value={shape.kind}
          options={shapes.map((value) => ({ value, text: text.shapes[value] }))}
          onChange={(kind) => {
            setIsCron(kind === 'cron');
            const next = shapeAs(kind, shape);
            if (JSON.stringify(scheduleOf(next)) !== JSON.stringify(shown)) void write(next);
          }}
        />
      </div>
      {shape.kind === 'every' ? <EveryFields shape={shape} write={write} /> : null}
      {shape.kind === 'weekly' ? (
        <Toggles
          label={text.weekdays}
          value={shape.days}
          options={weekdays.map((day) => ({
            value: day,
            text: weekdayText(day, 'short').slice(0, 2),
            about: weekdayText(day, 'long'),
          }))}
          onChange={(days) => write({ ...shape, days })}
        />
      ) : null}
      {shape.kind === 'every' ? null : (
        <div className="trigger-at">
          {shape.kind === 'cron' ? (
            <CheckedText
              label={text.cron}
              note={text.cronNote}
              value={shape.cron}
              problem={problemAt('cron')}
              problemOf={() => undefined}
              onChange={(cron, mergeKey) => write({ ...shape, cron }, mergeKey)}
            />
          ) : (
            <CheckedText
              label={text.at}
              value={shape.time}
              problemOf={(typed) => (timeOf(typed) === undefined ? text.badTime : undefined)}
              onChange={(typed, mergeKey) => write({ ...shape, time: timeOf(typed) ?? shape.time }, mergeKey)}
            />
          )}
          <Choice
            label={text.zone}
            note={offsetText(shape.zone)}
            value={shape.zone}
            placeholder={shape.zone}
            problem={problemAt('timezone')}
            options={zones().map((zone) => ({ value: zone, text: zone }))}
            onChange={(zone) => write({ ...shape, zone })}
          />
        </div>
      )}
    </>
  );
}

/** The longest interval of a file is 366 days. */
function mostOf(unit: IntervalUnit): number {
  return Math.floor(366 * { s: 86_400, m: 1_440, h: 24, d: 1 }[unit]);
}

interface EveryFieldsProps {
  readonly shape: ScheduleShape & { readonly kind: 'every' };
  readonly write: (shape: ScheduleShape, mergeKey?: string) => Promise<boolean>;
}

function EveryFields({ shape, write }: EveryFieldsProps) {
  const units: readonly IntervalUnit[] = shape.unit === 's' ? ['s', ...intervalUnits] : intervalUnits;
  return (
    <div className="form-two">
      <OptionalNumber
        label={text.everyCount}
        value={shape.count}
        max={mostOf(shape.unit)}
        problem={text.badCount}
        onChange={(count, mergeKey) => write({ ...shape, count: Number(count ?? 1) }, mergeKey)}
      />
      <Choice
        label={text.unit}
        value={shape.unit}
        options={units.map((value) => ({ value, text: text.units[value] }))}
        onChange={(unit) => write({ ...shape, unit, count: Math.min(shape.count, mostOf(unit)) })}
      />
    </div>
  );
}

function asCron(shape: ScheduleShape): ScheduleShape {
  const schedule = scheduleOf(shape);
  return 'every' in schedule ? shape : { kind: 'cron', cron: schedule.cron, zone: schedule.timezone ?? 'UTC' };
}

/** Returns the shape that is nearest to another one. */
function shapeAs(kind: ScheduleShape['kind'], from: ScheduleShape): ScheduleShape {
  if (kind === from.kind) return from;
  if (kind === 'every') return { kind, count: 1, unit: 'h' };
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const zone = from.kind === 'every' ? timeZone : from.zone;
  if (kind === 'cron') return from.kind === 'every' ? { kind, cron: '0 * * * *', zone } : asCron(from);
  const read = from.kind === 'cron' ? scheduleShape({ cron: from.cron, timezone: zone }) : from;
  const time = 'time' in read ? read.time : '09:00';
  const days = read.kind === 'weekly' ? read.days : [1, 2, 3, 4, 5];
  return kind === 'daily' ? { kind, time, zone } : { kind, time, zone, days };
}

/** Returns a typed time as `HH:MM`; undefined if it is not one. */
function timeOf(typed: string): string | undefined {
  const [, hour = '', minute] = /^\s*([01]?\d|2[0-3]):([0-5]\d)\s*$/.exec(typed) ?? [];
  return minute === undefined ? undefined : `${hour.padStart(2, '0')}:${minute}`;
}

let known: readonly string[] | undefined;

/** The time zones of the platform. */
function zones(): readonly string[] {
  known ??= ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  return known;
}
