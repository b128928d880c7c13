import { Plus, X } from 'lucide-react';
import { type ComponentType, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isJsonMap, type JsonMap } from '../../../engine/isomorphic.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { type FormField, fieldsOfSchema, unknownField } from '../fields/form-fields.ts';
import { type ChangeValue, useFormScope } from '../fields/form-scope.tsx';
import { useSettledProblems } from '../fields/use-settled-problems.ts';
import type { FieldEditorProps, FieldRowProps } from './field-editor-props.ts';
import { firstValue, withKey, withRenamed } from './member-values.ts';
import { text } from './text.ts';

interface KeyInputProps {
  readonly label: string;
  readonly name: string;
  /** Names that cannot be used. */
  readonly taken: readonly string[];
  readonly isFocused?: boolean;
  /** @param next element that receives the focus; undefined if Enter was pressed and the focus stays */
  readonly onName: (name: string, next?: EventTarget | null) => void;
  /** Called when Escape is pressed. */
  readonly onCancel?: () => void;
}

/**
 * A key of a map. Written when Enter is pressed or the field loses the focus, so that the file never contains an
 * incomplete name.
 */
export function KeyInput({ label, name, taken, isFocused, onName, onCancel }: KeyInputProps) {
  const { isDisabled } = useFormScope();
  const [typed, setTyped] = useState<string | null>(null);
  const id = useId();
  const entered = typed ?? name;
  const isTaken = entered !== name && taken.includes(entered);
  const { shown, handlers } = useSettledProblems(isTaken ? [text.map.nameExists({ name: entered })] : []);
  const [problem] = shown;
  const leave = (next?: EventTarget | null): void => {
    if (isTaken) return;
    setTyped(null);
    if (entered !== name && entered !== '') onName(entered, next);
  };
  return (
    <div className="key-input" {...handlers}>
      <TextInput
        aria-label={label}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : id}
        autoFocus={isFocused}
        onFocus={isFocused === true ? ({ target }) => target.select() : undefined}
        placeholder={text.map.name}
        disabled={isDisabled}
        value={entered}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={({ relatedTarget }) => leave(relatedTarget)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            // The focus moves while the key is down. Without this, the next field would receive the line break.
            event.preventDefault();
            leave();
          }
          if (event.key !== 'Escape' || (typed === null && onCancel === undefined)) return;
          event.preventDefault();
          setTyped(null);
          onCancel?.();
        }}
      />
      {problem === undefined ? null : (
        <p id={id} className="field-problem">
          {problem}
        </p>
      )}
    </div>
  );
}

/**
 * Returns keys for rows that do not change when an entry is renamed, so that its fields keep the focus and the typed
 * text.
 */
export function useEntryKeys() {
  const keys = useRef(new Map<string, number>());
  const next = useRef(0);
  return {
    of(name: string): number {
      const key = keys.current.get(name) ?? next.current++;
      keys.current.set(name, key);
      return key;
    },
    rename(from: string, to: string): void {
      const key = keys.current.get(from);
      keys.current.delete(from);
      if (key !== undefined) keys.current.set(to, key);
    },
    remove: (name: string): boolean => keys.current.delete(name),
  };
}

interface NewEntryProps {
  /** Label of the list. */
  readonly label: string;
  readonly taken: readonly string[];
  /** @param isFocused whether to focus the value */
  readonly onAdd: (name: string, isFocused: boolean) => void;
  readonly onCancel: () => void;
  /** Element that receives the focus if the entry is discarded. */
  readonly returnTo: RefObject<HTMLElement | null>;
}

/** A row for the name of a new entry. */
export function NewEntry({ label, taken, onAdd, onCancel, returnTo }: NewEntryProps) {
  const row = useRef<HTMLLIElement>(null);
  const cancel = (): void => {
    // Removes the field first, because it would submit the name when it loses the focus.
    flushSync(onCancel);
    returnTo.current?.focus();
  };
  return (
    <li ref={row} className="map-member">
      <KeyInput
        label={text.map.newNameIn({ label })}
        name=""
        taken={taken}
        isFocused
        // Enter and Tab focus the value. A click elsewhere moves the focus there.
        onName={(name, next) => onAdd(name, next === undefined || row.current?.contains(next as Node | null) === true)}
        onCancel={cancel}
      />
      <span className="member-value" />
      <IconButton label={text.map.cancel} onMouseDown={(event) => event.preventDefault()} onClick={cancel}>
        <X aria-hidden size={13} />
      </IconButton>
    </li>
  );
}

interface EntriesProps {
  readonly map: JsonMap;
  readonly member: FormField;
  readonly label: string;
  readonly Row: ComponentType<FieldRowProps>;
  readonly onChange: (map: JsonMap, mergeKey?: string) => Promise<boolean>;
  /** Whether the user has just added the map. If it is empty, the name of the first entry is requested next. */
  readonly isAsked?: boolean;
}

/** Rows of names and values. A new name has a separate row until it is written. */
export function MapEntries({ map, member, label, Row, onChange, isAsked = false }: EntriesProps) {
  const { isDisabled } = useFormScope();
  /** Counts the opened rows for new names. Null if none is open. */
  const [adding, setAdding] = useState<number | null>(isAsked && Object.keys(map).length === 0 ? 1 : null);
  const [fresh, setFresh] = useState<string | null>(null);
  const adder = useRef<HTMLButtonElement>(null);
  const keys = useEntryKeys();
  const taken = Object.keys(map);
  // An entry always has a value. If it is cleared, the value is the empty text.
  const field = { ...member, isRequired: true };
  // An undo that restores the entry must not move the focus.
  useEffect(() => {
    if (fresh !== null) setFresh(null);
  }, [fresh]);
  return (
    <div className="map-editor">
      <ul>
        {Object.entries(map).map(([key, value]) => (
          <li key={keys.of(key)} className="map-member">
            <KeyInput
              label={text.map.nameOf({ name: key })}
              name={key}
              taken={taken}
              onName={(name) => {
                keys.rename(key, name);
                void onChange(withRenamed(map, key, name));
              }}
            />
            <div className="member-value">
              <Row
                field={field}
                label={key}
                isBare
                value={value}
                isFocused={fresh === key}
                onChange={(next, mergeKey) => onChange(withKey(map, key, next ?? ''), mergeKey)}
              />
            </div>
            {isDisabled ? null : (
              <IconButton
                label={text.map.remove({ name: key })}
                onClick={() => {
                  keys.remove(key);
                  adder.current?.focus();
                  void onChange(withKey(map, key, undefined));
                }}
              >
                <X aria-hidden size={13} />
              </IconButton>
            )}
          </li>
        ))}
        {adding === null ? null : (
          <NewEntry
            key={adding}
            label={label}
            taken={taken}
            onAdd={(name, isFocused) => {
              setAdding(null);
              setFresh(isFocused ? name : null);
              void onChange(withKey(map, name, firstValue(field)));
            }}
            onCancel={() => setAdding(null)}
            returnTo={adder}
          />
        )}
      </ul>
      {isDisabled ? null : (
        <Button ref={adder} size="small" variant="ghost" onClick={() => setAdding((adding ?? 0) + 1)}>
          <Plus aria-hidden size={13} />
          {text.map.addTo({ label })}
        </Button>
      )}
    </div>
  );
}

export function MapEditor({ field, value, onChange, Row, isFocused = false }: FieldEditorProps) {
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
      isAsked={isFocused}
    />
  );
}

/**
 * The inputs of the called flow, followed by other entries in the file. Names and values while the flow is not known.
 */
export function CallEditor(props: FieldEditorProps) {
  const { called } = useFormScope();
  if (called === undefined) return <MapEditor {...props} />;
  const { field } = props;
  const parts = fieldsOfSchema(called.inputs, field.path);
  if (parts.length === 0) return <MapEditor {...props} />;
  return <GroupEditor {...props} field={{ ...field, parts }} />;
}

/** The named parts, followed by other entries in the file. */
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
