/**
 * The inputs of a flow as one table: name, type, default, whether it is required, description, and choices.
 */
import { Plus, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import {
  type FlowChange,
  type FlowDoc,
  type InputUse,
  isJsonList,
  isJsonMap,
  type JsonMap,
  type JsonValue,
  usesOfInput,
} from '../../engine/isomorphic.ts';
import {
  type FlowInputHeader,
  type FlowInputType,
  type InputRow,
  inputRows,
  renamedInput,
  usesText,
  withChoices,
  withDefault,
  withDescription,
  withInputName,
  withNewInput,
  withoutInput,
  withRequired,
  withType,
} from '../stores/flow/flow-inputs.ts';
import { useStores } from '../stores/stores-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Select, type SelectOption } from '../ui/select.tsx';
import { Switch } from '../ui/switch.tsx';
import { KeyInput, NewEntry, useEntryKeys } from './field-editors/map-editor.tsx';
import { FieldRow } from './fields/field-row.tsx';
import { plainField, valueField } from './fields/form-fields.ts';
import { useFormScope } from './fields/form-scope.tsx';
import { useAhead } from './fields/use-ahead.ts';
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
type InputHeaderChange = (header: FlowInputHeader) => FlowInputHeader;

interface FlowInputsProps {
  readonly path: string;
  readonly header: FlowDoc['flow'];
  /** Null if the text is not a valid flow. */
  readonly doc: FlowDoc | null;
}

/**
 * Returns the header's inputs including pending changes, and a function that changes both sections in one undo step.
 */
function useInputHeader({ path, header: { input, inputs } }: FlowInputsProps) {
  const { edits } = useStores();
  const now: FlowInputHeader = {
    ...(input === undefined ? {} : { input }),
    ...(inputs === undefined ? {} : { inputs }),
  };
  const before = useRef(now);
  const [shown, change] = useAhead(now as JsonMap, (next, mergeKey) => {
    const wanted = (next ?? {}) as FlowInputHeader;
    const renamed = renamedInput(before.current, wanted);
    if (renamed !== undefined) return edits.change(path, { do: 'rename-input', ...renamed }, mergeKey);
    const changes = (['input', 'inputs'] as const)
      .filter((key) => JSON.stringify(wanted[key]) !== JSON.stringify(now[key]))
      .map((key): FlowChange => ({ do: 'set-flow', path: [key], value: wanted[key] as JsonValue | undefined }));
    const [first] = changes;
    if (first === undefined) return Promise.resolve(true);
    const whole: FlowChange = changes.length === 1 ? first : { do: 'all', changes, label: text.inputs.change };
    return edits.change(path, whole, mergeKey);
  });
  const header = shown as FlowInputHeader;
  return {
    header,
    change(make: InputHeaderChange, mergeKey?: string): Promise<boolean> {
      before.current = header;
      return change(make(header) as JsonMap, mergeKey);
    },
  };
}

/**
 * Shows what the user still has to change: code that uses the old name of an input, and references to a removed one.
 */
function useLeftUses({ path, doc }: FlowInputsProps) {
  const { notices, openFiles } = useStores();
  const show = (
    title: string,
    uses: readonly InputUse[],
    noteOf: (values: { readonly places: string }) => string,
  ): void => {
    const places = usesText(uses);
    if (places !== '') notices.getState().add({ tone: 'info', title, detail: noteOf({ places }), subject: path });
  };
  const usesOf = (name: string): readonly InputUse[] =>
    doc === null ? [] : usesOfInput(doc as unknown as JsonMap, name);
  return {
    renamed: (name: string, to: string): void => {
      const inCode = usesOf(name).filter((use) => use.in === 'code');
      show(text.inputs.renamedExceptCode({ name, to }), inCode, text.inputs.renamedNote);
    },
    removed: (name: string): void => {
      show(text.inputs.removedButUsed({ name }), usesOf(name), text.inputs.removedNote);
      let isGone = false;
      // An undo restores the input, so the message no longer applies.
      const end = openFiles.subscribe(({ files }) => {
        const header = files.get(path)?.doc?.flow;
        const isThere = header !== undefined && inputRows(header).some((row) => row.name === name);
        if (isThere && isGone) notices.getState().withdraw(path);
        if (!files.has(path) || (isThere && isGone)) end();
        isGone ||= header !== undefined && !isThere;
      });
    },
  };
}

export function FlowInputs(props: FlowInputsProps) {
  const { isDisabled } = useFormScope();
  const { header, change } = useInputHeader(props);
  const leftUses = useLeftUses(props);
  const rows = inputRows(header);
  const names = rows.map(({ name }) => name);
  const keys = useEntryKeys();
  const adder = useRef<HTMLButtonElement>(null);
  const [isAdding, setIsAdding] = useState(false);
  const [fresh, setFresh] = useState<string | null>(null);
  // An undo that restores the row must not move the focus.
  useEffect(() => {
    if (fresh !== null) setFresh(null);
  }, [fresh]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be laid out like the labels of the other fields
    <div className="flow-inputs" role="group" aria-label={text.inputs.title}>
      <span className="form-label" title={text.inputs.titleHint}>
        {text.inputs.title}
      </span>
      {rows.length === 0 ? <p className="inspector-quiet">{text.inputs.empty}</p> : null}
      <ul>
        {rows.map((row) => (
          <Row
            key={keys.of(row.name)}
            row={row}
            taken={names}
            isFresh={fresh === row.name}
            onChange={change}
            onName={(name) => {
              keys.rename(row.name, name);
              leftUses.renamed(row.name, name);
              void change((now) => withInputName(now, row.name, name));
            }}
            onRemove={() => {
              keys.remove(row.name);
              leftUses.removed(row.name);
              adder.current?.focus();
              void change((now) => withoutInput(now, row.name));
            }}
          />
        ))}
        {isAdding ? (
          <NewEntry
            label={text.inputs.title}
            taken={names}
            onAdd={(name, isFocused) => {
              setIsAdding(false);
              setFresh(isFocused ? name : null);
              void change((now) => withNewInput(now, name));
            }}
            onCancel={() => setIsAdding(false)}
            returnTo={adder}
          />
        ) : null}
      </ul>
      {isDisabled ? null : (
        <Button ref={adder} size="small" variant="ghost" onClick={() => setIsAdding(true)}>
          <Plus aria-hidden size={13} />
          {text.inputs.add}
        </Button>
      )}
    </div>
  );
}

interface InputRowProps {
  readonly row: InputRow;
  readonly taken: readonly string[];
  readonly isFresh: boolean;
  readonly onChange: (make: InputHeaderChange, mergeKey?: string) => Promise<boolean>;
  readonly onName: (name: string) => void;
  readonly onRemove: () => void;
}

const aboutField = plainField('description', 'text');

function Row({ row, taken, isFresh, onChange, onName, onRemove }: InputRowProps) {
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
function DefaultCell({ row, isFresh, onChange }: Pick<InputRowProps, 'row' | 'isFresh' | 'onChange'>) {
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
