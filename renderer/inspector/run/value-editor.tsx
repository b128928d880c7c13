/**
 * Edits a JSON value as a form, as JSON, or as text: the input of a held node, or the output that a person gives a
 * node.
 */
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import {
  isJsonList,
  isJsonMap,
  isValueHandle,
  type JsonMap,
  type JsonValue,
  readExactJson,
} from '../../../engine/isomorphic.ts';
import { type InputDrafts, type InputField, readInputs, schemaField } from '../../stores/runs/run-inputs.ts';
import { useReadValue } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Field, TextArea } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { InputFields, submitByKey } from '../fields/input-fields.tsx';
import { text } from './text.ts';
import './value-editor.css';

type ValueFormat = 'form' | 'text' | 'json';

/** Returns the schema of a value whose schema names no type. */
function typeOf(value: JsonValue | undefined): JsonMap {
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? { type } : {};
}

/**
 * Returns the fields of a map: those that are set or required, or all of the schema for a new value. Empty for other
 * values.
 */
function fieldsOfValue(schema: JsonMap, value: JsonValue | undefined): readonly InputField[] {
  const { properties, required } = schema;
  const parts = isJsonMap(properties) ? properties : {};
  const values = isJsonMap(value) ? value : {};
  if (value !== undefined && !isJsonMap(value)) return [];
  const needed = new Set(isJsonList(required) ? required : []);
  const keys = [...new Set([...Object.keys(parts), ...Object.keys(values)])];
  return keys.flatMap((key) => {
    const known = values[key];
    if (value !== undefined && known === undefined && !needed.has(key)) return [];
    const part = parts[key];
    return [schemaField(key, { ...typeOf(known), ...(isJsonMap(part) ? part : {}) }, known, needed.has(key))];
  });
}

function jsonOf(value: JsonValue | undefined): string {
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

type DraftValue = { readonly value: JsonValue } | { readonly problems: Readonly<Record<string, string>> };

function readRaw(format: 'text' | 'json', raw: string): DraftValue {
  if (format === 'text') return { value: raw };
  const read = readExactJson(raw);
  if (read.kind === 'value') return read;
  const problem = read.kind === 'unsafe-number' ? text.edit.inexactNumber : text.edit.invalidJson(read);
  return { problems: { '': problem } };
}

/** What is typed, in each format. */
interface ValueDraft {
  readonly format: ValueFormat;
  /** The value from which the form starts. */
  readonly start: JsonValue | undefined;
  readonly fields: InputDrafts;
  readonly raw: string;
}

function firstDraft(schema: JsonMap, start: JsonValue | undefined): ValueDraft {
  if (fieldsOfValue(schema, start).length > 0) return { format: 'form', start, fields: {}, raw: '' };
  if (typeof start === 'string') return { format: 'text', start, fields: {}, raw: start };
  return { format: 'json', start, fields: {}, raw: jsonOf(start) };
}

function readDraft(schema: JsonMap, { format, start, fields, raw }: ValueDraft): DraftValue {
  if (format !== 'form') return readRaw(format, raw);
  const { inputs, problems } = readInputs(fieldsOfValue(schema, start), fields);
  return inputs === null ? { problems } : { value: inputs };
}

/** Returns the draft in another format, which starts from a value. */
function draftIn(format: ValueFormat, value: JsonValue): ValueDraft {
  const raw = format === 'text' && typeof value === 'string' ? value : jsonOf(value);
  return { format, start: value, fields: {}, raw };
}

interface ValueEditorProps {
  /** Name of the value for screen readers. */
  readonly label: string;
  readonly schema: JsonMap;
  /** Undefined for a new value. */
  readonly value: JsonValue | undefined;
  /** Returns why a value is not accepted; empty if it is. */
  readonly problemsOf: (value: JsonValue) => readonly string[];
  readonly submitText: string;
  readonly submitIcon: ReactNode;
  /** Resolves to why the value was refused, or null. */
  readonly onSubmit: (value: JsonValue) => Promise<string | null>;
  readonly onCancel: () => void;
}

export function ValueEditor(props: ValueEditorProps) {
  const { label, schema, value, problemsOf, submitText, submitIcon, onSubmit, onCancel } = props;
  const [draft, setDraft] = useState(() => firstDraft(schema, value));
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [isSending, setIsSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea, [role="combobox"]')?.focus(), []);

  const change = (next: Partial<ValueDraft>): void => {
    setDraft({ ...draft, ...next });
    setProblems({});
  };
  const choose = (format: ValueFormat): void => {
    const isUntouched = draft.format === 'form' ? Object.keys(draft.fields).length === 0 : draft.raw === '';
    const read = readDraft(schema, draft);
    if ('problems' in read && isUntouched) change({ format, raw: jsonOf(draft.start) });
    else if ('problems' in read) setProblems(read.problems);
    else change(draftIn(format, read.value));
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isSending) return;
    const read = readDraft(schema, draft);
    const found = 'problems' in read ? read.problems : { '': problemsOf(read.value).slice(0, 5).join(' ') };
    if ('problems' in read || found[''] !== '') return setProblems(found);
    setIsSending(true);
    const refusal = await onSubmit(read.value);
    setIsSending(false);
    if (refusal !== null) setProblems({ '': refusal });
  };

  const fields = fieldsOfValue(schema, draft.start);
  const formats: readonly ValueFormat[] = [
    ...(draft.format === 'form' || fields.length > 0 ? (['form'] as const) : []),
    ...(typeof value === 'string' || draft.format === 'text' ? (['text'] as const) : []),
    'json',
  ];
  return (
    <form
      ref={form}
      className="value-editor"
      aria-label={label}
      data-own-keys="Mod+Enter"
      onSubmit={(event) => void submit(event)}
      onKeyDown={submitByKey}
    >
      <header className="value-editor-bar">
        <h3 className="inspector-heading">{label}</h3>
        {formats.length < 2 ? null : (
          <Segmented
            label={text.edit.format}
            value={draft.format}
            options={formats.map((format) => ({ value: format, text: text.edit.formats[format] }))}
            onChange={choose}
          />
        )}
      </header>
      {draft.format === 'form' ? (
        <InputFields
          fields={fields}
          drafts={draft.fields}
          problems={problems}
          onChange={(next) => change({ fields: next })}
        />
      ) : (
        <Field label={text.edit.formats[draft.format]}>
          {(control) => (
            <TextArea
              {...control}
              rows={12}
              className="value-editor-raw"
              value={draft.raw}
              onChange={({ target }) => change({ raw: target.value })}
            />
          )}
        </Field>
      )}
      {problems[''] === undefined ? null : (
        <p className="field-problem" role="alert">
          {problems['']}
        </p>
      )}
      <footer className="value-editor-buttons">
        <Button onClick={onCancel}>{text.edit.cancel}</Button>
        <Button type="submit" variant="primary" disabled={isSending}>
          {submitIcon}
          {submitText}
        </Button>
      </footer>
    </form>
  );
}

/** Returns a value with all parts that are stored separately. Undefined until they have been read. */
export function useWholeValue(value: JsonValue | undefined): JsonValue | undefined {
  const readValue = useReadValue();
  const [read, setRead] = useState<{ readonly of: JsonValue; readonly whole: JsonValue } | null>(null);
  const hash = isValueHandle(value) ? value.$value : undefined;
  useEffect(() => {
    if (hash === undefined || value === undefined) return undefined;
    let isGone = false;
    readValue(hash).then(
      (whole) => {
        if (!isGone) setRead({ of: value, whole: whole as JsonValue });
      },
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [hash, value, readValue]);
  if (hash === undefined) return value;
  return read !== null && read.of === value ? read.whole : undefined;
}
