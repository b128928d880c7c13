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
import './schema-form.css';

export function SchemaEditor({ field, value, onChange, onProblem, control }: FieldEditorProps) {
  const [isUnreadable, setIsUnreadable] = useState(false);
  const scope = useFormScope();
  const inner = useMemo(() => ({ ...scope, isDisabled: scope.isDisabled || isUnreadable }), [scope, isUnreadable]);
  const draft = useDraftText(value === undefined ? '' : JSON.stringify(value, null, 2), (text, mergeKey) => {
    const problem = problemOf(text);
    setIsUnreadable(problem !== undefined);
    onProblem(problem);
    if (problem !== undefined) return false;
    return onChange(schemaIn(text), mergeKey);
  });
  const label = `${field.label} as JSON`;
  return (
    <div className="schema-editor">
      <div className="schema-sides">
        <div>
          {isUnreadable ? <p className="schema-note">The form waits until the JSON text can be read.</p> : null}
          <FormScopeContext value={inner}>
            <SchemaSide value={value} onChange={onChange} />
          </FormScopeContext>
        </div>
        <div className="schema-text">
          <span className="schema-text-name" aria-hidden>
            JSON text
          </span>
          <BindingText control={control} aria-label={label} draft={draft} rows={3} mayBind={false} />
        </div>
      </div>
    </div>
  );
}

/** Returns why a text is not a valid schema. Undefined if it is valid or empty. */
function problemOf(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  const read = readExactJson(text);
  if (read.kind === 'unsafe-number') return unsafeNumberMessage('The schema', read.number);
  if (read.kind !== 'value') return `Not JSON yet, so it was not taken: ${read.problem}.`;
  if (isJsonMap(read.value) || typeof read.value === 'boolean') return undefined;
  return 'Not in the file: a schema is a map such as { "type": "object" }, or true or false.';
}

function schemaIn(text: string): JsonValue | undefined {
  const read = readExactJson(text);
  return text.trim() !== '' && read.kind === 'value' ? read.value : undefined;
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
        <p className="schema-note">The answer becomes a value with these fields. Begin with:</p>
        {schemaTemplates.map(({ title, schema }) => (
          <Button key={title} size="small" onClick={() => void onChange(schema)}>
            {title}
          </Button>
        ))}
      </div>
    );
  }
  if (!isJsonMap(value)) {
    return <p className="schema-note">What stands here has no fields, so it is shown as text only.</p>;
  }
  if (fieldCount(value) > mostFields) {
    return <p className="schema-note">It has more than {mostFields} fields, so it is shown as text only.</p>;
  }
  return <SchemaValue label="The value is" name="the value" schema={value} onSchema={onChange} level={0} />;
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
