/**
 * The fields of a form that asks for values: those of a run, of a node alone, or what a run asks a person.
 */
import type { KeyboardEvent } from 'react';
import { freeInputs, type InputDrafts, type InputField } from '../stores/runs/run-inputs.ts';
import { type ControlProps, Field, TextArea, TextInput } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';
import './input-fields.css';

interface InputControlProps {
  readonly field: InputField;
  readonly draft: string;
  readonly control: ControlProps;
  readonly onChange: (draft: string) => void;
}

function isLong(draft: string): boolean {
  return draft.length > 60 || draft.includes('\n');
}

function InputControl({ field, draft, control, onChange }: InputControlProps) {
  if (field.kind === 'boolean') {
    return (
      <input
        {...control}
        type="checkbox"
        className="run-input-check"
        checked={draft === 'true'}
        onChange={(event) => onChange(String(event.target.checked))}
      />
    );
  }
  if (field.kind === 'choice') {
    return <Select {...control} options={field.choices} value={draft} placeholder="Choose one" onChange={onChange} />;
  }
  if (field.kind === 'json' || field.kind === 'any' || isLong(field.initial)) {
    return <TextArea {...control} rows={4} value={draft} onChange={(event) => onChange(event.target.value)} />;
  }
  return (
    <TextInput
      {...control}
      inputMode={field.kind === 'number' ? 'decimal' : 'text'}
      value={draft}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

const kindNotes = {
  text: 'text',
  number: 'number',
  boolean: 'yes or no',
  choice: 'one of a list',
  json: 'JSON',
  any: 'text or JSON',
} as const;

function noteOf({ kind, doc, mayBeAbsent }: InputField): string {
  const type = doc?.type === 'array' ? 'list as JSON' : doc?.type === 'object' ? 'map as JSON' : kindNotes[kind];
  if (doc?.required === true) return `${type}, needed`;
  return mayBeAbsent ? `${type}, may stay empty` : type;
}

/** The keys that opened the dialog also close it, wherever the cursor stands. */
export function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

interface InputFieldsProps {
  readonly fields: readonly InputField[];
  readonly drafts: InputDrafts;
  /** By key of the field. */
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (drafts: InputDrafts) => void;
}

/** The fields of a form that asks for values of a run. */
export function InputFields({ fields, drafts, problems, onChange }: InputFieldsProps) {
  return (
    <div className="run-inputs-fields">
      {fields.map((field) => (
        <Field
          key={field.key}
          label={field.key === freeInputs ? 'Inputs' : field.key}
          note={noteOf(field)}
          about={field.doc?.description}
          problem={problems[field.key]}
        >
          {(control) => (
            <InputControl
              field={field}
              draft={drafts[field.key] ?? field.initial}
              control={control}
              onChange={(draft) => onChange({ ...drafts, [field.key]: draft })}
            />
          )}
        </Field>
      ))}
    </div>
  );
}
