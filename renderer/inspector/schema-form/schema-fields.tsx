/**
 * The form of a value's schema: its kind and, depending on that, its choices, the fields of a map, or the items of a
 * list.
 */
import { Plus } from 'lucide-react';
import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../../engine/isomorphic.ts';
import { Button } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { MemberButtons, useMemberKeys } from '../field-editors/list-editor.tsx';
import { KeyInput } from '../field-editors/map-editor.tsx';
import { type ChangeValue, useFormScope } from '../fields/form-scope.tsx';
import { ChangedElsewhere, useDraftText } from '../fields/use-draft-text.tsx';
import { SchemaChoices } from './schema-choices.tsx';
import {
  fieldsOf,
  freeFieldName,
  requiredOf,
  type ShapeKind,
  shapeOf,
  withFieldAt,
  withFieldName,
  withFieldSchema,
  withKind,
  withNewField,
  withoutField,
  withRequired,
} from './schema-shape.ts';
import { text } from './text.ts';

const kindValues: readonly ShapeKind[] = ['string', 'choice', 'number', 'integer', 'boolean', 'array', 'object', 'any'];
const kinds = kindValues.map((value) => ({ value, text: text.kinds[value] }));

/** Deeper levels are shown only as text, because there is not enough room to indent them. */
const deepest = 5;

interface SchemaProps {
  readonly schema: JsonMap;
  readonly onSchema: ChangeValue;
  /** Nesting depth of the form. */
  readonly level: number;
}

interface KindProps extends Pick<SchemaProps, 'schema' | 'onSchema'> {
  readonly label: string;
}

function KindSelect({ label, schema, onSchema }: KindProps) {
  const { isDisabled } = useFormScope();
  const { kind, locked } = shapeOf(schema);
  return (
    <Select<ShapeKind | ''>
      aria-label={label}
      disabled={isDisabled || locked !== null}
      value={locked === null ? kind : ''}
      placeholder={text.kinds.locked}
      options={kinds}
      onChange={(next) => next !== '' && void onSchema(withKind(schema, next))}
    />
  );
}

/** A schema without a field name: that of the whole value, or of the items of a list. */
export function SchemaValue({
  label,
  name,
  schema,
  onSchema,
  level,
}: SchemaProps & NameProps & { readonly label: string }) {
  const id = useId();
  return (
    <div className="schema-value">
      <div className="schema-value-kind">
        <span id={id}>{label}</span>
        <KindSelect label={label} schema={schema} onSchema={onSchema} />
      </div>
      <Details name={name} schema={schema} onSchema={onSchema} level={level} hides={['description']} />
    </div>
  );
}

interface NameProps {
  /** Name of the value. Null for the whole value. */
  readonly name: string | null;
}

/** The details below the kind. @param hides whether keywords are hidden that the form could show but has no room for */
function Details({
  name,
  schema,
  onSchema,
  level,
  hides,
}: SchemaProps & NameProps & { readonly hides: readonly string[] }) {
  const { kind, others } = shapeOf(schema);
  const { items } = schema;
  const isTooDeep = level >= deepest && (kind === 'object' || kind === 'array');
  const more = [...hides.filter((key) => Object.hasOwn(schema, key)), ...others, ...(isTooDeep ? [kind] : [])];
  return (
    <>
      {isJsonList(schema['enum']) ? <SchemaChoices schema={schema} onSchema={onSchema} /> : null}
      {kind === 'object' && !isTooDeep ? <SchemaFields schema={schema} onSchema={onSchema} level={level} /> : null}
      {kind === 'array' && !isTooDeep && (items === undefined || isJsonMap(items)) ? (
        <div className="schema-nested">
          <SchemaValue
            label={name === null ? text.value.eachItemLabel : text.value.eachLabel({ name })}
            name={name === null ? text.value.eachItem : text.value.each({ name })}
            schema={items ?? {}}
            onSchema={(next, mergeKey) => onSchema({ ...schema, items: next ?? {} }, mergeKey)}
            level={level + 1}
          />
        </div>
      ) : null}
      {more.length === 0 ? null : <p className="schema-more">{text.value.more({ keywords: more.join(', ') })}</p>}
    </>
  );
}

function SchemaFields({ schema, onSchema, level }: SchemaProps) {
  const { isDisabled } = useFormScope();
  const [fresh, setFresh] = useState<string | null>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const held = useHeldFocus();
  const fields = fieldsOf(schema);
  const names = Object.keys(fields ?? {});
  const keys = useMemberKeys(names.length);
  if (fields === null) return <p className="schema-more">{text.fields.notMap}</p>;
  const move = (from: number, to: number): void => {
    const moved = withFieldAt(schema, from, to);
    if (moved === schema) return;
    const [key = 0] = keys.current.splice(from, 1);
    keys.current.splice(to, 0, key);
    held.current = document.activeElement;
    void onSchema(moved);
  };
  const needed = requiredOf(schema);
  return (
    <div className={level === 0 ? 'schema-fields' : 'schema-fields schema-nested'}>
      <ol>
        {names.map((name, index) => (
          <SchemaField
            key={keys.current[index]}
            name={name}
            schema={fields[name] ?? null}
            taken={names}
            place={{ index, count: names.length }}
            level={level}
            isFresh={fresh === name}
            isRequired={needed?.includes(name)}
            onName={(next) => void onSchema(withFieldName(schema, name, next))}
            onSchema={(next, mergeKey) => onSchema(withFieldSchema(schema, name, next ?? {}), mergeKey)}
            onRequired={(isRequired) => void onSchema(withRequired(schema, name, isRequired))}
            onMove={(to) => move(index, to)}
            onRemove={() => {
              keys.current.splice(index, 1);
              adder.current?.focus();
              void onSchema(withoutField(schema, name));
            }}
          />
        ))}
      </ol>
      {isDisabled ? null : (
        <Button
          ref={adder}
          size="small"
          variant="ghost"
          onClick={() => {
            const name = freeFieldName(schema);
            setFresh(name);
            void onSchema(withNewField(schema, name));
          }}
        >
          <Plus aria-hidden size={13} />
          {text.fields.add}
        </Button>
      )}
      <OtherFields schema={schema} onSchema={onSchema} />
    </div>
  );
}

/** Restores the focus after a row moves, because a moved element loses it. */
function useHeldFocus() {
  const held = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const { current } = held;
    if (current instanceof HTMLElement && current.isConnected && document.activeElement !== current) current.focus();
    held.current = null;
  });
  return held;
}

function OtherFields({ schema, onSchema }: Pick<SchemaProps, 'schema' | 'onSchema'>) {
  const { isDisabled } = useFormScope();
  const { additionalProperties: others } = schema;
  if (others !== undefined && typeof others !== 'boolean') return null;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the switch is its control
    <label className="schema-switch">
      <Switch
        checked={others === false}
        disabled={isDisabled}
        onCheckedChange={(isClosed) => void onSchema({ ...schema, additionalProperties: !isClosed })}
      />
      {text.fields.noOthers}
    </label>
  );
}

interface SchemaFieldProps {
  readonly name: string;
  /** The schema in the file. true and false are also schemas. */
  readonly schema: JsonValue;
  readonly taken: readonly string[];
  readonly place: { readonly index: number; readonly count: number };
  readonly level: number;
  /** Whether the field was just added. */
  readonly isFresh: boolean;
  /** Undefined if the list of required names is not valid. */
  readonly isRequired: boolean | undefined;
  readonly onName: (name: string) => void;
  readonly onSchema: ChangeValue;
  readonly onRequired: (isRequired: boolean) => void;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

function SchemaField({ name, schema, place: { index, count }, ...rest }: SchemaFieldProps) {
  const { isDisabled } = useFormScope();
  const { isRequired, onSchema, onMove } = rest;
  const moveByKey = (event: KeyboardEvent): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    event.stopPropagation();
    onMove(index + (event.key === 'ArrowDown' ? 1 : -1));
  };
  return (
    <li className="schema-field" onKeyDown={moveByKey}>
      <div className="schema-field-head">
        <KeyInput
          label={text.fields.name({ field: name })}
          name={name}
          taken={rest.taken}
          isFocused={rest.isFresh}
          onName={rest.onName}
        />
        <KindSelect
          label={text.fields.type({ field: name })}
          schema={isJsonMap(schema) ? schema : { const: schema }}
          onSchema={onSchema}
        />
        {isDisabled ? null : (
          <MemberButtons index={index} count={count} name={name} onMove={onMove} onRemove={rest.onRemove} />
        )}
      </div>
      <div className="schema-field-about">
        {isJsonMap(schema) ? <Description name={name} schema={schema} onSchema={onSchema} /> : null}
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the switch is its control */}
        <label className="schema-switch">
          <Switch
            aria-label={text.fields.isRequired({ field: name })}
            checked={isRequired === true}
            disabled={isDisabled || isRequired === undefined}
            onCheckedChange={rest.onRequired}
          />
          {text.fields.required}
        </label>
      </div>
      {isJsonMap(schema) ? (
        <Details name={name} schema={schema} onSchema={onSchema} level={rest.level + 1} hides={[]} />
      ) : (
        <p className="schema-more">{text.value.more({ keywords: JSON.stringify(schema) })}</p>
      )}
    </li>
  );
}

interface DescriptionProps extends Pick<SchemaProps, 'schema' | 'onSchema'> {
  readonly name: string;
}

function Description({ name, schema, onSchema }: DescriptionProps) {
  const { isDisabled } = useFormScope();
  const { description } = schema;
  const draft = useDraftText(typeof description === 'string' ? description : '', (typed, mergeKey) => {
    const { description: _, ...rest } = schema;
    return onSchema(typed === '' ? rest : { ...schema, description: typed }, mergeKey);
  });
  return (
    <div className="schema-description">
      <TextInput
        aria-label={text.fields.description({ field: name })}
        placeholder={text.fields.descriptionHint}
        // A description that is not text can be edited only in the JSON text.
        disabled={isDisabled || (description !== undefined && typeof description !== 'string')}
        value={draft.text}
        onChange={({ target }) => draft.onType(target.value)}
        onBlur={draft.onLeave}
        onKeyDown={({ key }) => key === 'Enter' && draft.onLeave()}
      />
      <ChangedElsewhere draft={draft} />
    </div>
  );
}
