/**
 * Fields with a few choices: booleans, and names from a list.
 */
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useFormScope } from '../fields/form-scope.tsx';
import type { FieldEditorProps } from './field-editor-props.ts';
import { text } from './text.ts';
import { mixedText } from './text-editor.tsx';

export function BooleanEditor({ field, value, onChange, control }: FieldEditorProps) {
  const { isDisabled } = useFormScope();
  const isOn = value ?? field.default ?? false;
  return (
    <Switch
      {...control}
      checked={isOn === true}
      disabled={isDisabled}
      // The default value needs no line in the file.
      onCheckedChange={(next) => void onChange(next === field.default && !field.isRequired ? undefined : next)}
    />
  );
}

/** A value that is not one of the choices is kept as an additional choice. */
export function EnumEditor({ field, value, onChange, control }: FieldEditorProps) {
  const { isDisabled } = useFormScope();
  const { options, default: fallback, isRequired } = field;
  const shown = value === undefined ? '' : String(value);
  const isStrange = shown !== '' && !options.includes(shown);
  const usual = fallback === undefined ? text.value.notSet : text.value.default({ value: String(fallback) });
  const unset = field.isMixed === true ? mixedText : usual;
  return (
    <Select
      {...control}
      disabled={isDisabled}
      value={shown}
      options={[
        ...(isRequired && shown !== '' ? [] : [{ value: '', text: unset }]),
        ...(isStrange ? [{ value: shown, text: text.value.unknown({ value: shown }) }] : []),
        ...options.map((option) => ({ value: option, text: option })),
      ]}
      onChange={(next) => void onChange(next === '' ? undefined : next)}
    />
  );
}
