/**
 * The fields of a form, and what is wrong with them.
 */
import { ChevronDown } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import type { PageField } from '../../engine/host/http/page-data.ts';
import type { JsonMap, JsonValue } from '../../engine/language/json/json-value.ts';
import { type ControlProps, Field } from '../ui/field.tsx';
import { choicesOf, type FormDrafts, initialDraft, readDrafts } from './drafts.ts';
import { FileControl, type FileRules } from './file-control.tsx';
import { text } from './text.ts';
import '../ui/button.css';

interface FieldControlProps {
  readonly field: PageField;
  readonly draft: string;
  readonly control: ControlProps;
  readonly onChange: (draft: string) => void;
}

function choiceText(option: JsonValue): string {
  if (typeof option === 'boolean') return option ? text.form.yes : text.form.no;
  return typeof option === 'string' && option !== '' ? option : JSON.stringify(option);
}

function ChoiceControl({ field, draft, control, onChange }: FieldControlProps) {
  return (
    <span className="page-select">
      <select
        {...control}
        className="field-input"
        required={field.isRequired}
        value={draft}
        onChange={(event) => onChange(event.target.value)}
      >
        {field.isRequired && field.default !== undefined ? null : (
          <option value="">{field.isRequired ? text.form.choose : text.form.none}</option>
        )}
        {choicesOf(field)?.map((option) => (
          <option key={JSON.stringify(option)} value={JSON.stringify(option)}>
            {choiceText(option)}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden size={16} />
    </span>
  );
}

function FieldControl(props: FieldControlProps) {
  const { field, draft, control, onChange } = props;
  if (choicesOf(field) !== undefined) return <ChoiceControl {...props} />;
  const shared = { ...control, 'aria-required': field.isRequired, dir: 'auto', value: draft };
  if (field.type === 'number' || field.type === 'integer') {
    return (
      <input
        {...shared}
        className="field-input"
        inputMode="decimal"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  const isData = field.type === 'object' || field.type === 'array';
  return (
    <textarea
      {...shared}
      className="field-input page-area"
      data-data={field.type === 'object'}
      rows={isData ? 3 : 1}
      spellCheck={!isData}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function aboutOf({ type, description, choices, accept }: PageField): string | undefined {
  if (choices !== undefined) return description;
  const how = type === 'array' ? text.form.list : type === 'object' ? text.form.map : undefined;
  if (accept !== undefined) return description;
  const parts = [description, how].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' ');
}

interface PageFieldsProps {
  readonly fields: readonly PageField[];
  /** Absent in forms without files. */
  readonly files?: FileRules;
  readonly initial?: FormDrafts;
  readonly submitText: string;
  readonly busyText: string;
  /** Called after each change, to keep what was typed. */
  readonly onDraft?: (drafts: FormDrafts) => void;
  /** Sends the values. Resolves to what is wrong with them, by field, or under `''` for all of them. */
  readonly onSubmit: (inputs: JsonMap) => Promise<Readonly<Record<string, string>>>;
}

/** A form that marks its problems, and puts the focus on the first of them. Ctrl+Enter submits it from any field. */
export function FieldsForm({ fields, initial = {}, submitText, busyText, files, onDraft, onSubmit }: PageFieldsProps) {
  const [drafts, setDrafts] = useState(initial);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const pending = useRef(0);

  const show = (found: Readonly<Record<string, string>>): void => {
    setProblems(found);
    // Once the fields are marked.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    if (pending.current > 0) {
      show({ '': text.form.uploadFirst });
      return;
    }
    const { inputs, problems: found } = readDrafts(fields, drafts);
    if (inputs === null) {
      show(found);
      return;
    }
    setIsBusy(true);
    const refused = await onSubmit(inputs);
    setIsBusy(false);
    show(refused);
  };
  const latest = useRef(drafts);
  const change = (name: string, draft: string): void => {
    // A file may arrive while something else is typed.
    const next = { ...latest.current, [name]: draft };
    latest.current = next;
    setDrafts(next);
    onDraft?.(next);
    if (problems[name] !== undefined || problems[''] !== undefined) {
      const { [name]: _, '': _all, ...others } = problems;
      setProblems(others);
    }
  };
  const { '': whole, ...ofFields } = problems;
  const count = Object.keys(ofFields).length;
  return (
    <form
      ref={form}
      className="page-form"
      noValidate
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
    >
      {fields.map((field) => (
        <Field
          key={field.name}
          label={field.label}
          {...(field.isRequired ? {} : { note: text.form.optional })}
          about={aboutOf(field)}
          problem={problems[field.name]}
        >
          {(control) => {
            const draft = drafts[field.name] ?? initialDraft(field);
            const shared = { field, draft, control, onChange: (next: string) => change(field.name, next) };
            if (field.accept === undefined || files === undefined) return <FieldControl {...shared} />;
            return <FileControl {...shared} rules={files} onPending={(more) => (pending.current += more)} />;
          }}
        </Field>
      ))}
      <p className="page-problem" role="alert">
        {whole ?? (count > 0 ? text.form.problems({ count }) : '')}
      </p>
      <button type="submit" className="button page-button" data-variant="primary" aria-disabled={isBusy}>
        {isBusy ? busyText : submitText}
      </button>
    </form>
  );
}
