/**
 * Asks for the inputs of a run; Enter runs, in a text of several lines Ctrl+Enter.
 */
import { Play } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { useStore } from 'zustand';
import { fieldsOf, freeInputs, type InputDrafts, type InputField, readInputs } from '../../stores/runs/run-inputs.ts';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type ControlProps, Field, TextArea, TextInput } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import './run-inputs-dialog.css';

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

function InputsForm({ flow }: { flow: SettledFlow }) {
  const { stores, dialogs } = useCommandContext();
  const fields = fieldsOf(flow.doc?.flow ?? {});
  const part = useStore(dialogs, (state) => state.part);
  const kept = useStore(dialogs, ({ drafts }) => drafts.get(flow.path));
  const [drafts, setDrafts] = useState<InputDrafts>(kept ?? {});
  const [hasTried, setHasTried] = useState(false);
  const { inputs, problems } = readInputs(fields, drafts);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setHasTried(true);
    if (inputs === null) return;
    dialogs.getState().keepDrafts(flow.path, drafts);
    dialogs.getState().close();
    void stores.runs.start(flow.path, inputs, part === null ? undefined : { part });
  };

  return (
    <form className="run-inputs" onSubmit={submit} onKeyDown={submitByKey}>
      <InputFields fields={fields} drafts={drafts} problems={hasTried ? problems : {}} onChange={setDrafts} />
      <footer className="run-inputs-actions">
        <Button onClick={() => setDrafts({})}>Restore defaults</Button>
        <Button type="submit" variant="primary">
          <Play aria-hidden size={14} />
          Run
        </Button>
      </footer>
    </form>
  );
}

export function RunInputsDialog({ flow }: { flow: SettledFlow }) {
  const { dialogs } = useCommandContext();
  const isOpen = useStore(dialogs, ({ open }) => open === 'run-inputs');
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => dialogs.getState().close()}
      title={`Run ${flow.doc?.flow.name ?? flow.path}`}
      description="These values go into this run only; the file stays as it is."
    >
      <InputsForm flow={flow} />
    </Dialog>
  );
}
