/**
 * The fields of a form that asks for values: the inputs of a run or of a single node, or a request of a run.
 */
import type { KeyboardEvent } from 'react';
import { freeInputs, type InputDrafts, type InputField } from '../../stores/runs/run-inputs.ts';
import { useFiles } from '../../stores/stores-context.tsx';
import { type ControlProps, Field, TextArea, TextInput } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { FilesProblem } from '../field-editors/name-editors.tsx';
import { text } from './text.ts';
import '../input-fields.css';

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
    return (
      <Select {...control} options={field.choices} value={draft} placeholder={text.inputs.choose} onChange={onChange} />
    );
  }
  if (field.look === 'secret') {
    return (
      <input
        {...control}
        type="password"
        className="field-input"
        autoComplete="new-password"
        spellCheck={false}
        value={draft}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  if (field.look === 'file') return <FileInput {...{ draft, control, onChange }} />;
  if (field.suggestions !== undefined && field.suggestions.length > 0) {
    return <SuggestedInput {...{ draft, control, onChange }} suggestions={field.suggestions} />;
  }
  if (field.kind === 'json' || field.kind === 'any' || field.look === 'long' || isLong(field.initial)) {
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

type TextControlProps = Omit<InputControlProps, 'field'>;

/** A text field with suggestions. Anything may be typed. */
function SuggestedInput({
  draft,
  control,
  onChange,
  suggestions,
}: TextControlProps & { suggestions: readonly string[] }) {
  const listId = `${control.id}-suggestions`;
  return (
    <>
      <TextInput {...control} list={listId} value={draft} onChange={(event) => onChange(event.target.value)} />
      <datalist id={listId}>
        {suggestions.map((suggestion) => (
          <option key={suggestion} value={suggestion} />
        ))}
      </datalist>
    </>
  );
}

/** A longer list is hard to browse. Typing narrows it. */
const mostFiles = 50;

/** A path in the workspace, with suggestions of existing files. */
function FileInput({ draft, control, onChange }: TextControlProps) {
  const { files } = useFiles();
  const wanted = draft.toLowerCase();
  const shown = (files ?? []).filter((path) => path.toLowerCase().includes(wanted)).slice(0, mostFiles);
  return (
    <>
      <SuggestedInput {...{ draft, control, onChange }} suggestions={shown} />
      <FilesProblem />
    </>
  );
}

const lookNotes = { secret: text.inputs.secret, file: text.inputs.file, long: text.inputs.text } as const;

function noteOf({ kind, doc, mayBeAbsent, look, suggestions = [] }: InputField): string {
  const simple =
    look !== undefined ? lookNotes[look] : suggestions.length > 0 ? text.inputs.suggested : text.inputs[kind];
  const type = doc?.type === 'array' ? text.inputs.list : doc?.type === 'object' ? text.inputs.map : simple;
  if (doc?.required === true) return text.inputs.required({ type });
  return mayBeAbsent ? text.inputs.optional({ type }) : type;
}

/** The shortcut that opened the dialog also submits it, wherever the cursor is. */
export function submitByKey(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

interface InputFieldsProps {
  readonly fields: readonly InputField[];
  readonly drafts: InputDrafts;
  /** Problems by the key of the field. */
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
          label={field.title ?? (field.key === freeInputs ? text.inputs.title : field.key)}
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
