import { useState } from 'react';
import { isUnsafeNumber } from '../../../engine/isomorphic.ts';
import { Select, type SelectOption } from '../../ui/select.tsx';
import type { FieldLimits } from '../fields/form-fields.ts';
import { useFormScope } from '../fields/form-scope.tsx';
import { ChangedElsewhere, useDraftText } from '../fields/use-draft-text.tsx';

import type { FieldEditorProps } from './field-editor-props.ts';
import { mixedText, placeholderOf } from './text-editor.tsx';

/** Returns why a number is rejected, or undefined if it is valid. */
function numberProblem(text: string, { min, max, isInteger }: FieldLimits): string | undefined {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return `"${text}" is not a number. It was not saved.`;
  if (isUnsafeNumber(text.trim())) return 'This number has too many digits to be stored exactly. It was not saved.';
  if (isInteger && !Number.isInteger(number)) return 'It must be a whole number.';
  const isBelow = min !== undefined && number < min;
  const isAbove = max !== undefined && number > max;
  if (!isBelow && !isAbove) return undefined;
  if (min === undefined) return `It must be at most ${max}.`;
  return max === undefined ? `It must be at least ${min}.` : `It must be a number from ${min} to ${max}.`;
}

/** A number, with a slider if its range is small. Two braces turn it into a binding. */
export function NumberEditor({ field, value, onChange, onProblem, control }: FieldEditorProps) {
  const { isDisabled } = useFormScope();
  const { limits, kind, mayBind } = field;
  // Beside a slider there is not enough room for another control.
  const isMixedSlider = kind === 'slider' && field.isMixed === true;
  const usual = placeholderOf({ field }) || 'not set';
  const draft = useDraftText(value === undefined ? '' : String(value), (text, mergeKey) => {
    if (mayBind && text.includes('{{')) return onChange(text, mergeKey);
    const problem = text.trim() === '' ? undefined : numberProblem(text, limits);
    onProblem(problem);
    if (problem !== undefined) return false;
    return onChange(text.trim() === '' ? undefined : Number(text), mergeKey);
  });
  return (
    <>
      <span className="number-editor" data-kind={kind}>
        {kind === 'slider' ? (
          <input
            type="range"
            className="number-range"
            aria-label={`${field.label}, from ${limits.min} to ${limits.max}`}
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

const units: readonly SelectOption<Unit>[] = (Object.keys(unitMs) as Unit[]).map((unit) => ({
  value: unit,
  text: unit,
}));

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
  const usual = fallback === undefined ? 'not set' : inUnit(fallback);
  const draft = useDraftText(value === undefined ? '' : inUnit(value), (text, mergeKey) => {
    if (mayBind && text.includes('{{')) return onChange(text, mergeKey);
    const time = text.trim() === '' ? undefined : Math.round(Number(text) * unitMs[unit]);
    const problem =
      time === undefined
        ? undefined
        : Number.isNaN(time)
          ? numberProblem(text, {})
          : numberProblem(String(time), limits);
    onProblem(problem);
    return problem === undefined && onChange(time, mergeKey);
  });
  return (
    <>
      <span className="number-editor duration-editor">
        <NumberInput control={control} draft={draft} placeholder={field.isMixed === true ? mixedText : usual} />
        <Select
          aria-label={`Unit of ${label.toLowerCase()}`}
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
