import type { FieldLimits } from '../form-fields.ts';
import { useFormScope } from '../form-scope.tsx';
import { useDraftText } from '../use-draft-text.ts';
import type { FieldEditorProps } from './field-editor-props.ts';
import { placeholderOf } from './text-editor.tsx';

/** Why a number cannot be taken; undefined = it can. */
export function numberProblem(text: string, { min, max, isInteger }: FieldLimits): string | undefined {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return `"${text}" is no number, so it is not in the file.`;
  if (isInteger && !Number.isInteger(number)) return 'It must be a whole number.';
  const isBelow = min !== undefined && number < min;
  const isAbove = max !== undefined && number > max;
  if (!isBelow && !isAbove) return undefined;
  if (min === undefined) return `It must be at most ${max}.`;
  return max === undefined ? `It must be at least ${min}.` : `It must be a number from ${min} to ${max}.`;
}

/** A number; with a slider where the way between its ends is short. Two braces make a binding of it. */
export function NumberEditor({ field, value, onChange, onProblem, control }: FieldEditorProps) {
  const { isDisabled } = useFormScope();
  const { limits, kind, unit, mayBind } = field;
  const draft = useDraftText(value === undefined ? '' : String(value), (text, mergeKey) => {
    if (mayBind && text.includes('{{')) return onChange(text, mergeKey);
    const problem = text.trim() === '' ? undefined : numberProblem(text, limits);
    onProblem(problem);
    if (problem !== undefined) return false;
    return onChange(text.trim() === '' ? undefined : Number(text), mergeKey);
  });
  return (
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
      <input
        {...control}
        className="field-input"
        inputMode="decimal"
        spellCheck={false}
        autoComplete="off"
        placeholder={placeholderOf({ field }) || 'not set'}
        disabled={isDisabled}
        value={draft.text}
        onChange={(event) => draft.onType(event.target.value)}
        onBlur={draft.onLeave}
        onKeyDown={(event) => {
          if (event.key === 'Enter') draft.onLeave();
        }}
      />
      {unit === '' ? null : <span className="number-unit">{unit}</span>}
    </span>
  );
}
