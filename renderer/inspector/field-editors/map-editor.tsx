import { Plus, X } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { isJsonMap, type JsonMap } from '../../../engine/isomorphic.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { type FormField, fieldsOfSchema, unknownField } from '../form-fields.ts';
import { type ChangeValue, useFormScope } from '../form-scope.tsx';
import type { FieldEditorProps, FieldRowProps } from './field-editor-props.ts';
import { firstValue, withKey, withRenamed } from './member-values.ts';

interface KeyInputProps {
  readonly label: string;
  readonly name: string;
  /** Names that cannot be taken. */
  readonly taken: readonly string[];
  readonly isFocused?: boolean;
  readonly onName: (name: string) => void;
}

/** A key; sent by Enter and when it is left, so that no half of a name gets into the file. */
export function KeyInput({ label, name, taken, isFocused, onName }: KeyInputProps) {
  const { isDisabled } = useFormScope();
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? name;
  const isTaken = text !== name && taken.includes(text);
  const leave = (): void => {
    if (isTaken) return;
    setTyped(null);
    if (text !== name && text !== '') onName(text);
  };
  return (
    <TextInput
      aria-label={label}
      aria-invalid={isTaken}
      title={isTaken ? `There is a "${text}" already.` : undefined}
      autoFocus={isFocused}
      onFocus={isFocused === true ? ({ target }) => target.select() : undefined}
      placeholder="name"
      disabled={isDisabled}
      value={text}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        if (event.key === 'Enter') leave();
        if (event.key === 'Escape') setTyped(null);
      }}
    />
  );
}

interface EntriesProps {
  readonly map: JsonMap;
  readonly member: FormField;
  readonly label: string;
  readonly Row: ComponentType<FieldRowProps>;
  readonly onChange: (map: JsonMap, mergeKey?: string) => Promise<boolean>;
}

/** Rows of name and value; a name that was added but not written yet has a row of its own. */
export function MapEntries({ map, member, label, Row, onChange }: EntriesProps) {
  const { isDisabled } = useFormScope();
  const [isAdding, setIsAdding] = useState(false);
  const [fresh, setFresh] = useState<string | null>(null);
  const taken = Object.keys(map);
  return (
    <div className="map-editor">
      <ul>
        {Object.entries(map).map(([key, value]) => (
          <li key={key} className="map-member">
            <KeyInput
              label={`Name of ${key}`}
              name={key}
              taken={taken}
              onName={(name) => void onChange(withRenamed(map, key, name))}
            />
            <div className="member-value">
              <Row
                field={member}
                label={key}
                isBare
                value={value}
                isFocused={fresh === key}
                onChange={(next, mergeKey) => onChange(withKey(map, key, next ?? ''), mergeKey)}
              />
            </div>
            {isDisabled ? null : (
              <IconButton label={`Remove ${key}`} onClick={() => void onChange(withKey(map, key, undefined))}>
                <X aria-hidden size={13} />
              </IconButton>
            )}
          </li>
        ))}
        {isAdding ? (
          <li className="map-member">
            <KeyInput
              label={`New name in ${label}`}
              name=""
              taken={taken}
              isFocused
              onName={(name) => {
                setIsAdding(false);
                setFresh(name);
                void onChange(withKey(map, name, firstValue(member)));
              }}
            />
            <span className="member-value" />
            <IconButton label="Not now" onClick={() => setIsAdding(false)}>
              <X aria-hidden size={13} />
            </IconButton>
          </li>
        ) : null}
      </ul>
      {isDisabled || isAdding ? null : (
        <Button size="small" variant="ghost" onClick={() => setIsAdding(true)}>
          <Plus aria-hidden size={13} />
          Add to {label.toLowerCase()}
        </Button>
      )}
    </div>
  );
}

export function MapEditor({ field, value, onChange, Row }: FieldEditorProps) {
  const map = value !== undefined && isJsonMap(value) ? value : {};
  const put = (next: JsonMap, mergeKey?: string): Promise<boolean> =>
    onChange(Object.keys(next).length === 0 && !field.isRequired ? undefined : next, mergeKey);
  return (
    <MapEntries
      map={map}
      member={field.member ?? unknownField([], true)}
      label={field.label}
      Row={Row}
      onChange={put}
    />
  );
}

/** The inputs that the called flow has, then whatever else the file has there; while nobody knows it, names and values. */
export function CallEditor(props: FieldEditorProps) {
  const { called } = useFormScope();
  if (called === undefined) return <MapEditor {...props} />;
  const { field } = props;
  const parts = fieldsOfSchema(called.inputs, field.path);
  if (parts.length === 0) return <MapEditor {...props} />;
  return <GroupEditor {...props} field={{ ...field, parts }} />;
}

/** Named parts, then whatever else the file has there. */
export function GroupEditor({ field, value, onChange, Row }: FieldEditorProps) {
  const map = value !== undefined && isJsonMap(value) ? value : {};
  const known = new Set(field.parts.map(({ path }) => path.at(-1)));
  const changeOf =
    (key: string): ChangeValue =>
    (next, mergeKey) => {
      const changed = withKey(map, key, next);
      return onChange(Object.keys(changed).length === 0 && !field.isRequired ? undefined : changed, mergeKey);
    };
  const others = Object.keys(map).filter((key) => !known.has(key));
  return (
    <div className="group-editor">
      {field.parts.map((part) => {
        const key = String(part.path.at(-1));
        return <Row key={key} field={part} value={map[key]} onChange={changeOf(key)} />;
      })}
      {others.map((key) => (
        <Row key={key} field={unknownField([...field.path, key], true)} value={map[key]} onChange={changeOf(key)} />
      ))}
    </div>
  );
}
