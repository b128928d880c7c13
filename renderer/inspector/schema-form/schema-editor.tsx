/**
 * A JSON Schema as a form beside its JSON text. Both change the same value. Parts that the form does not show are kept.
 * Invalid text stays in its field, and the form is disabled meanwhile.
 */
import { useMemo, useState } from 'react';
import {
  isJsonMap,
  type JsonMap,
  type JsonValue,
  readExactJson,
  unsafeNumberMessage,
} from '../../../engine/isomorphic.ts';
import { Button } from '../../ui/button.tsx';
import { BindingText } from '../field-editors/binding-text.tsx';
import type { FieldEditorProps } from '../field-editors/field-editor-props.ts';
import { type ChangeValue, FormScopeContext, useFormScope } from '../fields/form-scope.tsx';
import { useDraftText } from '../fields/use-draft-text.tsx';
import { SchemaValue } from './schema-fields.tsx';
import { schemaTemplates } from './schema-shape.ts';
import { text } from './text.ts';
import './schema-form.css';

export function SchemaEditor({ field, value, onChange, onProblem, control }: FieldEditorProps) {
  const [isUnreadable, setIsUnreadable] = useState(false);
  const scope = useFormScope();
  const inner = useMemo(() => ({ ...scope, isDisabled: scope.isDisabled || isUnreadable }), [scope, isUnreadable]);
  const draft = useDraftText(value === undefined ? '' : JSON.stringify(value, null, 2), (typed, mergeKey) => {
    const problem = problemOf(typed);
    setIsUnreadable(problem !== undefined);
    onProblem(problem);
    if (problem !== undefined) return false;
    return onChange(schemaIn(typed), mergeKey);
  });
  const label = text.editor.jsonLabel({ field: field.label });
  return (
    <div className="schema-editor">
      <div className="schema-sides">
        <div>
          {isUnreadable ? <p className="schema-note">{text.editor.disabled}</p> : null}
          <FormScopeContext value={inner}>
            <SchemaSide value={value} onChange={onChange} />
          </FormScopeContext>
        </div>
        <div className="schema-text">
          <span className="schema-text-name" aria-hidden>
            {text.editor.jsonText}
          </span>
          <BindingText control={control} aria-label={label} draft={draft} rows={3} mayBind={false} />
        </div>
      </div>
    </div>
  );
}

/** Returns why a text is not a valid schema. Undefined if it is valid or empty. */
function problemOf(typed: string): string | undefined {
  if (typed.trim() === '') return undefined;
  const read = readExactJson(typed);
  if (read.kind === 'unsafe-number') return unsafeNumberMessage(text.editor.schema, read.number);
  if (read.kind !== 'value') return text.editor.notJson({ problem: read.problem });
  if (isJsonMap(read.value) || typeof read.value === 'boolean') return undefined;
  return text.editor.notSchema;
}

function schemaIn(typed: string): JsonValue | undefined {
  const read = readExactJson(typed);
  return typed.trim() !== '' && read.kind === 'value' ? read.value : undefined;
}

interface SideProps {
  readonly value: JsonValue | undefined;
  readonly onChange: ChangeValue;
}

/** More fields would be slow to render and hard to navigate. */
const mostFields = 200;

function SchemaSide({ value, onChange }: SideProps) {
  const { isDisabled } = useFormScope();
  if (value === undefined) {
    return isDisabled ? null : (
      <div className="schema-beginnings">
        <p className="schema-note">{text.editor.start}</p>
        {schemaTemplates.map(({ title, schema }) => (
          <Button key={title} size="small" onClick={() => void onChange(schema)}>
            {title}
          </Button>
        ))}
      </div>
    );
  }
  if (!isJsonMap(value)) {
    return <p className="schema-note">{text.editor.noForm}</p>;
  }
  if (fieldCount(value) > mostFields) {
    return <p className="schema-note">{text.editor.tooManyFields({ count: mostFields })}</p>;
  }
  return <SchemaValue label={text.value.label} name={null} schema={value} onSchema={onChange} level={0} />;
}

/** Counts the maps in a schema, up to slightly above the limit. */
function fieldCount(schema: JsonMap): number {
  const open: JsonValue[] = [schema];
  let count = 0;
  for (let next = open.pop(); next !== undefined && count <= mostFields; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const { properties, items } = next as JsonMap;
    if (isJsonMap(properties)) {
      count += Object.keys(properties).length;
      open.push(...Object.values(properties).slice(0, mostFields + 1));
    }
    if (isJsonMap(items)) open.push(items);
  }
  return count;
}
