import { useState } from 'react';
import { useFormScope } from '../fields/form-scope.tsx';
import { useDraftText } from '../fields/use-draft-text.tsx';
import { BindingText } from './binding-text.tsx';
import type { FieldEditorProps } from './field-editor-props.ts';
import { text } from './text.ts';
import { typedProblem, typedValue, valueText } from './typed-value.ts';

const rowsOf: Readonly<Record<string, number>> = { prompt: 4, 'long-text': 2, code: 4, javascript: 8, lua: 8 };

/** Shown instead of a value in a form for several nodes with different values. */
export const mixedText = text.value.mixed;

/** Returns the placeholder of an empty field: the default of the type. */
export function placeholderOf({ field }: Pick<FieldEditorProps, 'field'>): string {
  const { default: fallback, isMixed } = field;
  if (isMixed === true) return mixedText;
  if (fallback === undefined) return '';
  return typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
}

/** Text, short or long, with bindings if they are allowed. */
export function TextEditor({ field, value, onChange, control, isFocused }: FieldEditorProps) {
  const { kind, isRequired } = field;
  const draft = useDraftText(value === undefined ? '' : asText(value), (typed, mergeKey) =>
    onChange(typed === '' && !isRequired ? undefined : typed, mergeKey),
  );
  return (
    <BindingText
      control={control}
      draft={draft}
      isLine={kind === 'text' || kind === 'url'}
      rows={rowsOf[kind] ?? 1}
      mayBind={field.mayBind || kind === 'code'}
      placeholder={placeholderOf({ field })}
      isFocused={isFocused === true}
    />
  );
}

/** A URL. If a curl command is pasted here, it replaces the whole request. */
export function AddressEditor(props: FieldEditorProps) {
  const { takeCommand } = useFormScope();
  return (
    <div
      onPasteCapture={(event) => {
        if (takeCommand(event.clipboardData.getData('text/plain'))) event.preventDefault();
      }}
    >
      <TextEditor {...props} />
    </div>
  );
}

/** Returns a value as text. An unquoted number is converted to text, as in runs. */
export function asText(value: Exclude<FieldEditorProps['value'], undefined>): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Any value: text as it is, everything else as JSON. Invalid JSON stays in the field and is not written. */
export function JsonEditor({ field, value, onChange, onProblem, control, isFocused }: FieldEditorProps) {
  const [isNew] = useState(isFocused === true);
  // Clearing a required value sets it to the empty text. Clearing any other value removes it, so there the empty text
  // is shown in quotes.
  const isEmpty = value === undefined || (value === '' && field.isRequired);
  const draft = useDraftText(isEmpty ? '' : valueText(value), (typed, mergeKey) => {
    const problem = typedProblem(typed);
    onProblem(problem);
    if (problem !== undefined) return false;
    return onChange(typed === '' ? undefined : typedValue(typed), mergeKey);
  });
  return (
    <BindingText
      control={control}
      draft={draft}
      rows={1}
      mayBind
      placeholder={placeholderOf({ field })}
      isFocused={isFocused === true}
      offersAtOnce={isNew}
    />
  );
}

/** A binding that replaces a value of any kind. */
export function BoundEditor({ value, onChange, control, isFocused }: FieldEditorProps) {
  const draft = useDraftText(typeof value === 'string' ? value : '', (typed, mergeKey) =>
    onChange(typed === '' ? undefined : typed, mergeKey),
  );
  return (
    <BindingText
      control={control}
      draft={draft}
      isLine
      mayBind
      placeholder={text.value.bindingExample}
      isFocused={isFocused === true}
    />
  );
}
