/**
 * One input of a flow: its default alone, or all of its properties.
 */
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../engine/isomorphic.ts';
import {
  type FlowInputHeader,
  type FlowInputType,
  type InputRow,
  withChoices,
  withDefault,
  withDescription,
  withRequired,
  withType,
} from '../stores/flow/flow-inputs.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Select, type SelectOption } from '../ui/select.tsx';
import { Switch } from '../ui/switch.tsx';
import { KeyInput } from './field-editors/map-editor.tsx';
import { FieldRow } from './fields/field-row.tsx';
import { plainField, valueField } from './fields/form-fields.ts';
import { useFormScope } from './fields/form-scope.tsx';
import { SchemaChoices } from './schema-form/schema-choices.tsx';
import { text } from './text.ts';
import './flow-inputs.css';

const types: readonly SelectOption<FlowInputType>[] = [
  { value: 'string', text: text.inputs.typeString },
  { value: 'number', text: text.inputs.typeNumber },
  { value: 'integer', text: text.inputs.typeInteger },
  { value: 'boolean', text: text.inputs.typeBoolean },
  { value: 'array', text: text.inputs.typeArray },
  { value: 'object', text: text.inputs.typeObject },
];

/** A function that returns a changed header. */
export type InputHeaderChange = (header: FlowInputHeader) => FlowInputHeader;

interface InputProps {
  readonly row: InputRow;
  /** Whether it was just added, so that its default has the focus. */
  readonly isFresh: boolean;
  readonly onChange: (make: InputHeaderChange, mergeKey?: string) => Promise<boolean>;
}

interface InputFormProps extends InputProps {
  /** Names of all inputs. */
  readonly taken: readonly string[];
  readonly onName: (name: string) => void;
  readonly onRemove: () => void;
}

/** An input by its default alone, with its description. */
export function InputValue({ row, isFresh, onChange }: InputProps) {
  return (
    <li className="flow-input-value">
      <span className="form-label">
        {row.name}
        {row.description === '' ? null : <small>{row.description}</small>}
      </span>
      <DefaultCell row={row} isFresh={isFresh} onChange={onChange} />
    </li>
  );
}

const aboutField = plainField('description', 'text');

/** All properties of an input. */
export function InputForm({ row, taken, isFresh, onChange, onName, onRemove }: InputFormProps) {
  const { isDisabled } = useFormScope();
  const { name, type, choices, isRequired, description } = row;
  const [showsChoices, setShowsChoices] = useState(false);
  const mayChoose = type === 'string' || type === 'number' || type === 'integer';
  const schema: JsonMap = { type: type ?? 'string', enum: [...(choices ?? [])] };
  return (
    <li className="flow-input">
      <KeyInput label={text.inputs.nameOf({ name })} name={name} taken={taken} onName={onName} />
      <Select<FlowInputType | ''>
        aria-label={text.inputs.typeOf({ name })}
        disabled={isDisabled}
        value={type ?? ''}
        placeholder={text.inputs.anyType}
        options={types}
        onChange={(next) => next !== '' && void onChange((now) => withType(now, name, next))}
      />
      {isDisabled ? (
        <span />
      ) : (
        <IconButton label={text.inputs.remove({ name })} onClick={onRemove}>
          <X aria-hidden size={13} />
        </IconButton>
      )}
      <div className="flow-input-default">
        <span aria-hidden>{text.inputs.default}</span>
        <DefaultCell row={row} isFresh={isFresh} onChange={onChange} />
      </div>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the switch is its control */}
      <label className="schema-switch">
        <Switch
          aria-label={text.inputs.isRequired({ name })}
          checked={isRequired}
          disabled={isDisabled}
          onCheckedChange={(next) => void onChange((now) => withRequired(now, name, next))}
        />
        {text.inputs.required}
      </label>
      <div className="flow-input-about">
        <FieldRow
          field={{ ...aboutField, default: text.inputs.purpose }}
          label={text.inputs.descriptionOf({ name })}
          isBare
          value={description === '' ? undefined : description}
          onChange={(next, mergeKey) => onChange((now) => withDescription(now, name, String(next ?? '')), mergeKey)}
        />
        {choices !== undefined || showsChoices ? (
          <SchemaChoices
            schema={schema}
            mayBeEmpty
            onSchema={(next) => {
              // The field stays visible after the last choice is removed, so that others can be added.
              setShowsChoices(true);
              return onChange((now) => withChoices(now, name, choicesOf(next)));
            }}
          />
        ) : isDisabled || !mayChoose ? null : (
          <Button
            size="small"
            variant="ghost"
            aria-label={text.inputs.addChoicesTo({ name })}
            onClick={() => setShowsChoices(true)}
          >
            <Plus aria-hidden size={13} />
            {text.inputs.choices}
          </Button>
        )}
      </div>
    </li>
  );
}

function choicesOf(schema: JsonValue | undefined): readonly JsonValue[] {
  const list = schema !== undefined && isJsonMap(schema) ? schema['enum'] : undefined;
  return list !== undefined && isJsonList(list) ? list : [];
}

/** The editor of a default, according to its type. If there are choices, the default is one of them. */
function DefaultCell({ row, isFresh, onChange }: InputProps) {
  const { isDisabled } = useFormScope();
  const { name, type, choices, default: value, problem } = row;
  const label = text.inputs.defaultOf({ name });
  const put = (next: JsonValue | undefined, mergeKey?: string): Promise<boolean> =>
    onChange((now) => withDefault(now, name, next), mergeKey);
  const listed = choices ?? (type === 'boolean' ? [true, false] : undefined);
  const isListed = value === undefined || listed?.includes(value) === true;
  if (listed !== undefined && isListed) {
    const textOf = (one: JsonValue): string =>
      one === true ? text.inputs.yes : one === false ? text.inputs.no : String(one);
    return (
      <Select
        aria-label={label}
        disabled={isDisabled}
        value={value === undefined ? '' : JSON.stringify(value)}
        options={[
          { value: '', text: text.inputs.none },
          ...listed.map((one) => ({ value: JSON.stringify(one), text: textOf(one) })),
        ]}
        onChange={(next) => void put(next === '' ? undefined : (JSON.parse(next) as JsonValue))}
      />
    );
  }
  const schema: JsonMap = type === 'string' || type === 'number' || type === 'integer' ? { type } : {};
  return (
    <FieldRow
      field={{ ...valueField(name, schema), default: value === '' ? text.inputs.emptyText : text.inputs.none }}
      label={label}
      isBare
      isFocused={isFresh}
      value={value === '' ? undefined : value}
      problems={problem === undefined ? [] : [{ path: [name], message: problem, severity: 'error' }]}
      onChange={put}
    />
  );
}
