/**
 * Controls of the form of a trigger. They write only text that the file can contain, because the whole flow would be
 * invalid otherwise.
 */
import { useId, useState } from 'react';
import type { ChangePath, FlowDoc, JsonValue, TriggerDoc } from '../../../engine/isomorphic.ts';
import { Field, TextInput } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { type ChangeValue, useFormScope } from '../fields/form-scope.tsx';
import { useAhead } from '../fields/use-ahead.ts';

/** A trigger of an open flow. */
export interface TriggerFormProps {
  readonly path: string;
  readonly trigger: TriggerDoc;
  readonly flow: FlowDoc;
}

/** Sets a value of the trigger. */
export type ChangeTrigger = (path: ChangePath, value: unknown, mergeKey?: string) => Promise<boolean>;

/** Returns the problem of the value at a path of the trigger. */
export type ProblemAt = (...path: readonly (string | number)[]) => string | undefined;

/** What the parts of the form share. */
export interface TriggerPartProps extends TriggerFormProps {
  readonly change: ChangeTrigger;
  readonly problemAt: ProblemAt;
}

interface CheckedTextProps {
  readonly label: string;
  readonly note?: string;
  readonly value: string;
  readonly placeholder?: string;
  /** Problem of the value in the file. */
  readonly problem?: string | undefined;
  /** Returns why typed text cannot be written. Undefined if it can. */
  readonly problemOf: (typed: string) => string | undefined;
  readonly inputMode?: 'numeric' | 'decimal';
  /** Whether text is written when the field is left, because each text on the way would mean something else. */
  readonly isLate?: boolean;
  /** Called with valid text. */
  readonly onChange: (typed: string, mergeKey: string) => Promise<boolean>;
}

/** A text field. Text that is not valid stays in the field, with the reason, and is not written. */
export function CheckedText(props: CheckedTextProps) {
  const { label, note, value, placeholder, problem, problemOf, inputMode, isLate = false, onChange } = props;
  const { isDisabled } = useFormScope();
  const mergeKey = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const typedProblem = typed === null ? undefined : problemOf(typed);
  const leave = (): void => {
    if (typedProblem !== undefined) return;
    if (isLate && typed !== null && typed !== value) void onChange(typed, mergeKey);
    setTyped(null);
  };
  return (
    <Field label={label} problem={typedProblem ?? problem} {...(note === undefined ? {} : { note })}>
      {(control) => (
        <TextInput
          {...control}
          disabled={isDisabled}
          inputMode={inputMode}
          placeholder={placeholder}
          value={typed ?? value}
          onChange={({ target }) => {
            setTyped(target.value);
            if (!isLate && problemOf(target.value) === undefined) void onChange(target.value, mergeKey);
          }}
          onBlur={leave}
          onKeyDown={(event) => {
            if (event.key === 'Enter') leave();
            if (event.key !== 'Escape' || typed === null) return;
            event.preventDefault();
            event.stopPropagation();
            setTyped(null);
          }}
        />
      )}
    </Field>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly note?: string;
  readonly problem?: string | undefined;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly text: string }[];
  readonly placeholder?: string;
  readonly onChange: (value: Value) => Promise<boolean>;
}

/** A choice that is shown at once, before the text contains it. */
export function Choice<Value extends string>({ label, note, problem, value, onChange, ...rest }: ChoiceProps<Value>) {
  const { isDisabled } = useFormScope();
  const [shown, change] = useAhead(value, (next) => onChange(next as Value));
  return (
    <Field label={label} problem={problem} {...(note === undefined ? {} : { note })}>
      {(control) => (
        <Select<Value>
          {...control}
          {...rest}
          disabled={isDisabled}
          value={shown as Value}
          onChange={(next) => void change(next)}
        />
      )}
    </Field>
  );
}

interface TogglesProps<Value extends string | number> {
  readonly label: string;
  readonly value: readonly Value[];
  readonly options: readonly { readonly value: Value; readonly text: string; readonly about?: string }[];
  /** Called with at least one value, in the order of the options. */
  readonly onChange: (value: readonly Value[]) => Promise<boolean>;
}

/** Several of a few values, at least one. */
export function Toggles<Value extends string | number>({ label, value, options, onChange }: TogglesProps<Value>) {
  const { isDisabled } = useFormScope();
  const [ahead, change] = useAhead(value as readonly JsonValue[], (next) => onChange(next as readonly Value[]));
  const shown = ahead as readonly Value[];
  const toggle = (one: Value): void => {
    const next = options.map((option) => option.value).filter((each) => (each === one) !== shown.includes(each));
    if (next.length > 0) void change(next as readonly JsonValue[]);
  };
  return (
    <fieldset className="trigger-toggles" disabled={isDisabled}>
      <legend className="field-label">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className="trigger-toggle"
          aria-pressed={shown.includes(option.value)}
          aria-label={option.about ?? option.text}
          onClick={() => toggle(option.value)}
        >
          {option.text}
        </button>
      ))}
    </fieldset>
  );
}

/** A whole or decimal number that may be absent. */
export function OptionalNumber(props: {
  readonly label: string;
  readonly note?: string;
  readonly value: number | undefined;
  readonly placeholder?: string;
  readonly isInteger?: boolean;
  readonly problem: string;
  readonly min?: number;
  readonly max?: number;
  readonly onChange: ChangeValue;
}) {
  const { label, note, value, placeholder = '', isInteger = true, problem, min = 0, max, onChange } = props;
  const numberOf = (typed: string): number => Number(typed.trim().replace(',', '.'));
  return (
    <CheckedText
      label={label}
      {...(note === undefined ? {} : { note })}
      value={value === undefined ? '' : String(value)}
      placeholder={placeholder}
      inputMode={isInteger ? 'numeric' : 'decimal'}
      problemOf={(typed) => {
        if (typed.trim() === '') return undefined;
        const number = numberOf(typed);
        const isRight = isInteger ? Number.isSafeInteger(number) : Number.isFinite(number);
        const isInside = (min === 0 ? number > 0 : number >= min) && (max === undefined || number <= max);
        return isRight && isInside ? undefined : problem;
      }}
      onChange={(typed, mergeKey) => onChange(typed.trim() === '' ? undefined : numberOf(typed), mergeKey)}
    />
  );
}
