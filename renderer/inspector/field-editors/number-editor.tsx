import { useState } from 'react';
import { isUnsafeNumber } from '../../../engine/isomorphic.ts';
import { Select, type SelectOption } from '../../ui/select.tsx';
import type { FieldLimits } from '../fields/form-fields.ts';
import { useFormScope } from '../fields/form-scope.tsx';
import { ChangedElsewhere, useDraftText } from '../fields/use-draft-text.tsx';

import type { FieldEditorProps } from './field-editor-props.ts';
import { text } from './text.ts';
import { mixedText, placeholderOf } from './text-editor.tsx';

/** Returns why a number is rejected, or undefined if it is valid. */
function numberProblem(typed: string, { min, max, isInteger }: FieldLimits): string | undefined {
  const number = Number(typed);
  if (typed.trim() === '' || !Number.isFinite(number)) return text.number.notNumber({ typed });
  if (isUnsafeNumber(typed.trim())) return text.number.tooPrecise;
  if (isInteger && !Number.isInteger(number)) return text.number.notInteger;
  const isAllowed = number >= (min ?? -Infinity) && number <= (max ?? Infinity);
  if (isAllowed) return undefined;
  if (min !== undefined && max !== undefined) return text.number.inRange({ min, max });
  if (max !== undefined) return text.number.atMost({ max });
  return min === undefined ? undefined : text.number.atLeast({ min });
}

/** A number, with a slider if its range is small. Two braces turn it into a binding. */
export function NumberEditor({ field, value, onChange, onProblem, control }: FieldEditorProps) {
  const { isDisabled } = useFormScope();
  const { limits, kind, mayBind } = field;
  // Beside a slider there is not enough room for another control.
  const isMixedSlider = kind === 'slider' && field.isMixed === true;
  const usual = placeholderOf({ field }) || text.value.notSet;
  const draft = useDraftText(value === undefined ? '' : String(value), (typed, mergeKey) => {
    if (mayBind && typed.includes('{{')) return onChange(typed, mergeKey);
    const problem = typed.trim() === '' ? undefined : numberProblem(typed, limits);
    onProblem(problem);
    if (problem !== undefined) return false;
    return onChange(typed.trim() === '' ? undefined : Number(typed), mergeKey);
  });
  return (
    <>
      <span className="number-editor" data-kind={kind}>
        {kind === 'slider' ? (
          <input
            type="range"
            className="number-range"
            aria-label={text.number.slider({ label: field.label, min: limits.min ?? 0, max: limits.max ?? 1 })}
            min={limits.min}
            max={limits.max}
            step={((limits.max ?? 1) - (limits.min ?? 0)) / 20}
            disabled={isDisabled}
            data-unset={value === undefined}
            value={Number(draft.text === '' ? (field.default ?? limits.min ?? 0) : draft.text)}
            onChange={(event) => draft.onType(event.target.value)}
            onBlur={draft.onLeave}
          />
        ) : null}
        <NumberInput control={control} draft={draft} placeholder={isMixedSlider ? '–' : usual} />
      </span>
      <ChangedElsewhere draft={draft} />
    </>
  );
}

interface NumberInputProps extends Pick<FieldEditorProps, 'control'> {
  readonly draft: ReturnType<typeof useDraftText>;
  readonly placeholder: string;
}

function NumberInput({ control, draft, placeholder }: NumberInputProps) {
  const { isDisabled } = useFormScope();
  return (
    <input
      {...control}
      className="field-input"
      inputMode="decimal"
      spellCheck={false}
      autoComplete="off"
      placeholder={placeholder}
      disabled={isDisabled}
      value={draft.text}
      onChange={(event) => draft.onType(event.target.value)}
      onBlur={draft.onLeave}
      onKeyDown={(event) => {
        if (event.key === 'Enter') draft.onLeave();
      }}
    />
  );
}

const unitMs = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, days: 86_400_000 } as const;

type Unit = keyof typeof unitMs;

/** From the shortest to the longest. */
const units: readonly SelectOption<Unit>[] = [
  { value: 'ms', text: text.number.milliseconds },
  { value: 's', text: text.number.seconds },
  { value: 'min', text: text.number.minutes },
  { value: 'h', text: text.number.hours },
  { value: 'days', text: text.number.days },
];

/**
 * Returns the largest unit in which a duration is a whole number. Without a value, returns hours if it may last for
 * years.
 */
function unitOf(value: unknown, longestMs = 0): Unit {
  if (typeof value !== 'number' || value === 0) return longestMs > 366 * unitMs.days ? 'h' : 'ms';
  return units.findLast((unit) => value % unitMs[unit.value] === 0)?.value ?? 'ms';
}

/** A duration, entered in any unit. The file contains milliseconds. Changing the unit changes only the display. */
export function DurationEditor({ field, value, onChange, onProblem, control }: FieldEditorProps) {
  const { isDisabled } = useFormScope();
  const { limits, label, mayBind, default: fallback } = field;
  // The unit is fixed on the first render. Otherwise it could change while the user types, and with it the meaning of
  // the digits.
  const [unit, setUnit] = useState(() => unitOf(value ?? fallback, limits.max));
  const inUnit = (time: unknown): string => (typeof time === 'number' ? String(time / unitMs[unit]) : String(time));
  const usual = fallback === undefined ? text.value.notSet : inUnit(fallback);
  const draft = useDraftText(value === undefined ? '' : inUnit(value), (typed, mergeKey) => {
    if (mayBind && typed.includes('{{')) return onChange(typed, mergeKey);
    const time = typed.trim() === '' ? undefined : Math.round(Number(typed) * unitMs[unit]);
    const problem =
      time === undefined
        ? undefined
        : Number.isNaN(time)
          ? numberProblem(typed, {})
          : numberProblem(String(time), limits);
    onProblem(problem);
    return problem === undefined && onChange(time, mergeKey);
  });
  return (
    <>
      <span className="number-editor duration-editor">
        <NumberInput control={control} draft={draft} placeholder={field.isMixed === true ? mixedText : usual} />
        <Select
          aria-label={text.number.unitOf({ label })}
          disabled={isDisabled}
          value={unit}
          // The typed text is written in its unit first.
          onFocus={draft.onLeave}
          options={units}
          onChange={setUnit}
        />
      </span>
      <ChangedElsewhere draft={draft} />
    </>
  );
}
