/**
 * Builds a condition from rows of path, comparison and value, and groups of them.
 */
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { JsonValue, WhenExpr } from '../../../engine/isomorphic.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { TextInput } from '../../ui/field.tsx';
import { Select, type SelectOption } from '../../ui/select.tsx';
import { type ChangeValue, useFormScope } from '../fields/form-scope.tsx';
import { ChangedElsewhere, useDraftText } from '../fields/use-draft-text.tsx';
import { useSettledProblems } from '../fields/use-settled-problems.ts';
import './condition-editor.css';

import {
  type CompareRow,
  type ConditionRow,
  emptyRow,
  exprOf,
  type GroupRow,
  type RawRow,
  rowOf,
} from './condition-rows.ts';
import { PickText } from './pick-text.tsx';
import { text } from './text.ts';
import { typedProblem, typedValue, valueText } from './typed-value.ts';

interface ConditionRowProps<Row extends ConditionRow> {
  readonly row: Row;
  readonly onRow: (row: ConditionRow) => void;
  /** Undefined if it cannot be removed separately. */
  readonly onRemove?: (() => void) | undefined;
}

type Operator = `${'' | 'not:'}${CompareRow['op']}`;

const operators: readonly (readonly [Operator, string])[] = [
  ['equals', text.condition.equals],
  ['not:equals', text.condition.notEquals],
  ['exists', text.condition.exists],
  ['not:exists', text.condition.notExists],
  ['contains', text.condition.contains],
  ['not:contains', text.condition.notContains],
  ['in', text.condition.in],
  ['not:in', text.condition.notIn],
  ['lt', text.condition.lt],
  ['lte', text.condition.lte],
  ['gt', text.condition.gt],
  ['gte', text.condition.gte],
];

/** Other negations are rarely needed, but a file may contain them. */
const seldom: readonly (readonly [Operator, string])[] = [
  ['not:lt', text.condition.notLt],
  ['not:lte', text.condition.notLte],
  ['not:gt', text.condition.notGt],
  ['not:gte', text.condition.notGte],
];

function RemoveButton({ onRemove, label }: { onRemove: (() => void) | undefined; label: string }) {
  const { isDisabled } = useFormScope();
  if (onRemove === undefined || isDisabled) return null;
  return (
    <IconButton label={label} onClick={onRemove}>
      <X aria-hidden size={13} />
    </IconButton>
  );
}

function CompareFields({ row, onRow, onRemove }: ConditionRowProps<CompareRow>) {
  const { isDisabled, candidates, sees } = useFormScope();
  const { isNegated, op, path, value } = row;
  const operator: Operator = `${isNegated ? 'not:' : ''}${op}`;
  const shown = [...operators, ...seldom.filter(([name]) => name === operator)];
  const pathDraft = useDraftText(path, (typed) => {
    onRow({ ...row, path: typed.trim() });
    return true;
  });
  const valueDraft = useDraftText(value, (typed) => {
    onRow({ ...row, value: typed });
    return true;
  });
  const offered = candidates({ sees, begun: pathDraft.text.trim(), before: '' });
  return (
    <div className="condition-row">
      <PickText
        draft={pathDraft}
        aria-label={text.condition.path}
        listLabel={text.condition.paths}
        placeholder={offered[0]?.path ?? text.condition.pathExample}
        suggestions={offered.map((one) => ({ text: one.path, detail: one.detail }))}
      />
      <Select
        aria-label={text.condition.comparison}
        disabled={isDisabled}
        value={operator}
        options={shown.map(([name, label]) => ({ value: name, text: label }))}
        onChange={(next) => {
          const isNot = next.startsWith('not:');
          onRow({ ...row, isNegated: isNot, op: next.slice(isNot ? 4 : 0) as CompareRow['op'] });
        }}
      />
      {op === 'exists' ? null : (
        <TextInput
          aria-label={text.condition.value}
          placeholder={op === 'in' ? text.condition.valuesExample : text.condition.valueExample}
          disabled={isDisabled}
          value={valueDraft.text}
          onChange={(event) => valueDraft.onType(event.target.value)}
          onBlur={valueDraft.onLeave}
          onKeyDown={(event) => {
            if (event.key === 'Enter') valueDraft.onLeave();
          }}
        />
      )}
      <RemoveButton label={text.condition.removeComparison} onRemove={onRemove} />
      <ChangedElsewhere draft={valueDraft} />
    </div>
  );
}

type GroupWord = `${'' | 'not:'}${GroupRow['word']}`;

const groupWords: readonly SelectOption<GroupWord>[] = [
  { value: 'and', text: text.condition.allOf },
  { value: 'or', text: text.condition.anyOf },
  { value: 'not:and', text: text.condition.notAllOf },
  { value: 'not:or', text: text.condition.noneOf },
];

function GroupFields({ row, onRow, onRemove }: ConditionRowProps<GroupRow>) {
  const { isDisabled } = useFormScope();
  const { isNegated, word, rows } = row;
  const put = (next: readonly ConditionRow[]): void => onRow({ ...row, rows: next });
  return (
    <fieldset className="condition-group">
      <legend className="visually-hidden">{text.condition.group}</legend>
      <div className="condition-head">
        <Select
          aria-label={text.condition.groupWord}
          disabled={isDisabled}
          value={`${isNegated ? 'not:' : ''}${word}`}
          options={groupWords}
          onChange={(next) =>
            onRow({ ...row, isNegated: next.startsWith('not:'), word: next.endsWith('and') ? 'and' : 'or' })
          }
        />
        <RemoveButton label={text.condition.removeGroup} onRemove={onRemove} />
      </div>
      {rows.map((part, index) => (
        <ConditionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names, and their position keeps what is typed
          key={index}
          row={part}
          onRow={(next) => put(rows.with(index, next))}
          onRemove={() => put(rows.toSpliced(index, 1))}
        />
      ))}
      {isDisabled ? null : (
        <div className="condition-adders">
          <AddButton label={text.condition.addCondition} onAdd={() => put([...rows, emptyRow])} />
          <AddButton
            label={text.condition.addGroup}
            onAdd={() => put([...rows, { kind: 'group', isNegated: false, word: 'or', rows: [emptyRow] }])}
          />
        </div>
      )}
    </fieldset>
  );
}

function AddButton({ label, onAdd }: { label: string; onAdd: () => void }) {
  return (
    <Button size="small" variant="ghost" onClick={onAdd}>
      <Plus aria-hidden size={13} />
      {label}
    </Button>
  );
}

/** An expression that rows cannot represent, as JSON. */
function RawFields({ row, onRow, onRemove }: ConditionRowProps<RawRow>) {
  const { isDisabled } = useFormScope();
  const [typed, setTyped] = useState<string>();
  const { shown, handlers } = useSettledProblems(typed === undefined ? [] : [typed]);
  const [problem] = shown;
  const draft = useDraftText(valueText(row.value), (draftText) => {
    const wrong = typedProblem(draftText);
    setTyped(wrong);
    if (wrong === undefined) onRow(rowOf(typedValue(draftText)));
    return wrong === undefined;
  });
  return (
    <div className="condition-raw" {...handlers}>
      <textarea
        className="field-input field-area"
        aria-label={text.condition.asJson}
        aria-invalid={problem !== undefined}
        disabled={isDisabled}
        spellCheck={false}
        value={draft.text}
        onChange={(event) => draft.onType(event.target.value)}
        onBlur={draft.onLeave}
      />
      <RemoveButton label={text.condition.removeCondition} onRemove={onRemove} />
      <ChangedElsewhere draft={draft} />
      {problem === undefined ? null : <p className="field-problem">{problem}</p>}
    </div>
  );
}

function ConditionFields({ row, ...rest }: ConditionRowProps<ConditionRow>) {
  if (row.kind === 'group') return <GroupFields row={row} {...rest} />;
  return row.kind === 'compare' ? <CompareFields row={row} {...rest} /> : <RawFields row={row} {...rest} />;
}

interface ConditionEditorProps {
  readonly value: JsonValue | undefined;
  /** Undefined removes the condition. */
  readonly onChange: ChangeValue;
  readonly isRequired?: boolean;
}

function sameExpr(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/**
 * Incomplete rows are kept here. The file gets the condition once every row has a path. A condition that changes
 * elsewhere replaces the rows.
 */
export function ConditionEditor({ value, onChange, isRequired = false }: ConditionEditorProps) {
  const { isDisabled } = useFormScope();
  const [edited, setEdited] = useState<{ readonly row: ConditionRow; readonly over: unknown } | null>(null);
  const isOwn = edited !== null && (sameExpr(edited.over, value) || sameExpr(exprOf(edited.row), value));
  const isEmpty = value === undefined || sameExpr(value, {});
  const row = isOwn ? edited.row : isEmpty ? null : rowOf(value);

  const put = (next: ConditionRow): void => {
    setEdited({ row: next, over: value });
    const expr: WhenExpr | undefined = exprOf(next);
    if (expr !== undefined) void onChange(expr as unknown as JsonValue);
  };
  const remove = (): void => {
    setEdited(null);
    void onChange(undefined);
  };
  if (row === null) {
    return isDisabled ? (
      <p className="inspector-quiet">{text.condition.always}</p>
    ) : (
      <div className="condition-editor">
        <AddButton label={text.condition.addCondition} onAdd={() => put(emptyRow)} />
      </div>
    );
  }
  return (
    <div className="condition-editor">
      <ConditionFields row={row} onRow={put} onRemove={isRequired ? undefined : remove} />
      {row.kind === 'group' || isDisabled ? null : (
        <AddButton
          label={text.condition.addCondition}
          onAdd={() => put({ kind: 'group', isNegated: false, word: 'and', rows: [row, emptyRow] })}
        />
      )}
    </div>
  );
}
