/**
 * Fields where one of a few is chosen: yes or no, and names from a list.
 */
import { Select } from '../../ui/field.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useFormScope } from '../form-scope.tsx';
import type { FieldEditorProps } from './field-editor-props.ts';

export function BooleanEditor({ field, value, onChange, control }: FieldEditorProps) {
  const { isDisabled } = useFormScope();
  const isOn = value ?? field.default ?? false;
  return (
    <Switch
      {...control}
      checked={isOn === true}
      disabled={isDisabled}
      // What is the default already needs no line of its own.
      onCheckedChange={(next) => void onChange(next === field.default && !field.isRequired ? undefined : next)}
    />
  );
}

/** A value that is none of the choices stays, as one more. */
export function EnumEditor({ field, value, onChange, control }: FieldEditorProps) {
  const { isDisabled } = useFormScope();
  const { options, default: fallback, isRequired } = field;
  const shown = value === undefined ? '' : String(value);
  const isStrange = shown !== '' && !options.includes(shown);
  return (
    <Select
      {...control}
      disabled={isDisabled}
      value={shown}
      onChange={(event) => void onChange(event.target.value === '' ? undefined : event.target.value)}
    >
      {isRequired && shown !== '' ? null : (
        <option value="">{fallback === undefined ? 'not set' : `${String(fallback)} (default)`}</option>
      )}
      {isStrange ? <option value={shown}>{`${shown} (unknown)`}</option> : null}
      {options.map((option) => (
        <option key={option} value={option}>
          {option}
        </option>
      ))}
    </Select>
  );
}
