import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { isJsonList, type JsonValue } from '../../../engine/isomorphic.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import type { FieldKind, FormField } from '../fields/form-fields.ts';
import { useFormScope } from '../fields/form-scope.tsx';
import type { FieldEditorProps } from './field-editor-props.ts';
import { firstValue, withMoved } from './member-values.ts';
import { text } from './text.ts';

/** Returns keys that move with the members, so that each keeps its field and the typed text. */
export function useMemberKeys(count: number) {
  const keys = useRef<number[]>([]);
  const next = useRef(0);
  while (keys.current.length < count) keys.current.push(next.current++);
  keys.current.length = count;
  return keys;
}

interface MemberButtonsProps {
  readonly index: number;
  readonly count: number;
  /** Name of the member. Defaults to its number. */
  readonly name?: string;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

/** Buttons to move a member up or down and to remove it. */
export function MemberButtons({ index, count, name, onMove, onRemove }: MemberButtonsProps) {
  const named = { name: name ?? String(index + 1) };
  return (
    <span className="member-buttons">
      <IconButton
        label={text.list.moveUp(named)}
        hint={text.list.upKeys}
        disabled={index === 0}
        onClick={() => onMove(index - 1)}
      >
        <ArrowUp aria-hidden size={13} />
      </IconButton>
      <IconButton
        label={text.list.moveDown(named)}
        hint={text.list.downKeys}
        disabled={index === count - 1}
        onClick={() => onMove(index + 1)}
      >
        <ArrowDown aria-hidden size={13} />
      </IconButton>
      <IconButton label={text.list.remove(named)} onClick={onRemove}>
        <X aria-hidden size={13} />
      </IconButton>
    </span>
  );
}

const largeKinds: ReadonlySet<FieldKind> = new Set(['list', 'map', 'group', 'condition']);

/** Returns the first value suggested by the schema that is not in the list yet. */
function nextMember(member: FormField, list: readonly JsonValue[]): JsonValue {
  return member.examples.find((one) => !list.includes(one)) ?? firstValue(member);
}

/** The members of a list below each other. Buttons, or Alt and the arrow keys, move them. */
export function ListEditor({ field, value, onChange, Row, isFocused }: FieldEditorProps) {
  const { isDisabled } = useFormScope();
  const [isFresh, setIsFresh] = useState(isFocused === true);
  const adder = useRef<HTMLButtonElement>(null);
  const list: readonly JsonValue[] = value !== undefined && isJsonList(value) ? value : [];
  const keys = useMemberKeys(list.length);
  const { member, limits, isRequired } = field;
  if (member === undefined) return null;
  // Members with nested parts take the full width, below a line with their name and buttons.
  const isLarge = largeKinds.has(member.kind);

  const put = (next: readonly JsonValue[], mergeKey?: string): Promise<boolean> =>
    onChange(next.length === 0 && !isRequired ? undefined : next, mergeKey);
  const move = (from: number, to: number): void => {
    const moved = withMoved(list, from, to);
    if (moved === list) return;
    keys.current = [...withMoved(keys.current, from, to)];
    void put(moved);
  };
  const remove = (index: number): void => {
    keys.current.splice(index, 1);
    adder.current?.focus();
    void put(list.toSpliced(index, 1));
  };
  const moveByKey = (event: KeyboardEvent, index: number): void => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    event.stopPropagation();
    move(index, event.key === 'ArrowUp' ? index - 1 : index + 1);
  };
  const buttonsOf = (index: number): ReactNode =>
    isDisabled ? null : (
      <MemberButtons
        index={index}
        count={list.length}
        onMove={(to) => move(index, to)}
        onRemove={() => remove(index)}
      />
    );
  return (
    <div className="list-editor">
      <ol>
        {list.map((item, index) => (
          <li key={keys.current[index]} className="list-member" onKeyDown={(event) => moveByKey(event, index)}>
            <div className="member-value">
              <Row
                field={member}
                label={text.list.member({ label: field.label, number: index + 1 })}
                isBare={!isLarge}
                value={item}
                isFocused={isFresh && index === list.length - 1}
                onChange={(next, mergeKey) => put(list.with(index, next ?? firstValue(member)), mergeKey)}
                buttons={isLarge ? buttonsOf(index) : null}
              />
            </div>
            {isLarge ? null : buttonsOf(index)}
          </li>
        ))}
      </ol>
      {isDisabled ? null : (
        <Button
          ref={adder}
          size="small"
          variant="ghost"
          onClick={() => {
            setIsFresh(true);
            void put([...list, nextMember(member, list)]);
          }}
        >
          <Plus aria-hidden size={13} />
          {text.list.addTo({ label: field.label })}
        </Button>
      )}
      {limits.minItems !== undefined && list.length < limits.minItems && list.length > 0 ? (
        <p className="field-problem">{text.list.tooShort({ count: limits.minItems })}</p>
      ) : null}
    </div>
  );
}

/**
 * A list of existing names, such as the nodes of a loop's body, in their order. Further names are added with the choice
 * below.
 */
export function NamesEditor({ field, value, onChange, control }: FieldEditorProps) {
  const { isDisabled, listed } = useFormScope();
  const ids = value !== undefined && isJsonList(value) ? value : [];
  const free = listed.filter(({ id }) => !ids.includes(id));
  return (
    <div className="list-editor">
      <ol>
        {ids.map((id, index) => (
          <li key={String(id)} className="list-member">
            <code className="member-value" title={String(id)}>
              {String(id)}
            </code>
            {isDisabled ? null : (
              <MemberButtons
                index={index}
                count={ids.length}
                onMove={(to) => void onChange([...withMoved(ids, index, to)])}
                onRemove={() => {
                  document.getElementById(control.id)?.focus();
                  void onChange(ids.toSpliced(index, 1));
                }}
              />
            )}
          </li>
        ))}
      </ol>
      <Select
        {...control}
        aria-label={text.list.addTo({ label: field.label })}
        value=""
        placeholder={free.length === 0 ? text.list.noOthers : text.list.addOne}
        disabled={isDisabled || free.length === 0}
        options={free.map(({ id, name, whyNot }) => ({ value: id, text: id, hint: name, whyNot }))}
        onChange={(id) => void onChange([...ids, id])}
      />
    </div>
  );
}
