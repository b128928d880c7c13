import { useState } from 'react';
import { useFormScope } from '../form-scope.tsx';
import { useDraftText } from '../use-draft-text.tsx';
import { BindingText } from './binding-text.tsx';
import type { FieldEditorProps } from './field-editor-props.ts';
import { typedProblem, typedValue, valueText } from './typed-value.ts';

const rowsOf: Readonly<Record<string, number>> = { prompt: 4, 'long-text': 2, code: 4, javascript: 8, lua: 8 };

/** Shown instead of a value in a form for several nodes with different values. */
export const mixedText = 'different values';

/** What is shown where nothing is set: the default of the type. */
export function placeholderOf({ field }: Pick<FieldEditorProps, 'field'>): string {
  const { default: fallback, isMixed } = field;
  if (isMixed === true) return mixedText;
  if (fallback === undefined) return '';
  return typeof fallback === 'string' ? fallback : JSON.stringify(fallback);
}

/** Text, short or long, with bindings where they may stand. */
export function TextEditor({ field, value, onChange, control, isFocused }: FieldEditorProps) {
  const { kind, isRequired } = field;
  const draft = useDraftText(value === undefined ? '' : asText(value), (text, mergeKey) =>
    onChange(text === '' && !isRequired ? undefined : text, mergeKey),
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

/** A web address. A curl command that is pasted here is taken for the whole request. */
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

/** A value where text is wanted: unquoted numbers stand for their text, as in runs. */
export function asText(value: Exclude<FieldEditorProps['value'], undefined>): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Any value: text as it is, everything else as JSON. What cannot be read yet stays here and is not written. */
export function JsonEditor({ field, value, onChange, onProblem, control, isFocused }: FieldEditorProps) {
  const [isNew] = useState(isFocused === true);
  // A required value that is emptied is the empty text; of others that takes the value away, so there the empty text has quotes.
  const isEmpty = value === undefined || (value === '' && field.isRequired);
  const draft = useDraftText(isEmpty ? '' : valueText(value), (text, mergeKey) => {
    const problem = typedProblem(text);
    onProblem(problem);
    if (problem !== undefined) return false;
    return onChange(text === '' ? undefined : typedValue(text), mergeKey);
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

/** A binding in the place of a value of any kind. */
export function BoundEditor({ value, onChange, control, isFocused }: FieldEditorProps) {
  const draft = useDraftText(typeof value === 'string' ? value : '', (text, mergeKey) =>
    text === '' ? onChange(undefined, mergeKey) : onChange(text, mergeKey),
  );
  return (
    <BindingText
      control={control}
      draft={draft}
      isLine
      mayBind
      placeholder="{{node.field}}"
      isFocused={isFocused === true}
    />
  );
}
