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
import { typedProblem, typedValue, valueText } from './typed-value.ts';

interface ConditionRowProps<Row extends ConditionRow> {
  readonly row: Row;
  readonly onRow: (row: ConditionRow) => void;
  /** Undefined if it cannot be removed separately. */
  readonly onRemove?: (() => void) | undefined;
}

type Operator = `${'' | 'not '}${CompareRow['op']}`;

const operators: readonly (readonly [Operator, string])[] = [
  ['equals', 'is'],
  ['not equals', 'is not'],
  ['exists', 'exists'],
  ['not exists', 'is missing'],
  ['contains', 'contains'],
  ['not contains', 'does not contain'],
  ['in', 'is one of'],
  ['not in', 'is none of'],
  ['lt', 'is less than'],
  ['lte', 'is at most'],
  ['gt', 'is more than'],
  ['gte', 'is at least'],
];

/** Other negations are rarely needed, but a file may contain them. */
const seldom: readonly (readonly [Operator, string])[] = [
  ['not lt', 'is not less than'],
  ['not lte', 'is not at most'],
  ['not gt', 'is not more than'],
  ['not gte', 'is not at least'],
];

function RemoveButton({ onRemove, what }: { onRemove: (() => void) | undefined; what: string }) {
  const { isDisabled } = useFormScope();
  if (onRemove === undefined || isDisabled) return null;
  return (
    <IconButton label={`Remove ${what}`} onClick={onRemove}>
      <X aria-hidden size={13} />
    </IconButton>
  );
}

function CompareFields({ row, onRow, onRemove }: ConditionRowProps<CompareRow>) {
  const { isDisabled, candidates, sees } = useFormScope();
  const { isNegated, op, path, value } = row;
  const operator: Operator = `${isNegated ? 'not ' : ''}${op}`;
  const shown = [...operators, ...seldom.filter(([name]) => name === operator)];
  const pathDraft = useDraftText(path, (text) => {
    onRow({ ...row, path: text.trim() });
    return true;
  });
  const valueDraft = useDraftText(value, (text) => {
    onRow({ ...row, value: text });
    return true;
  });
  const offered = candidates({ sees, begun: pathDraft.text.trim(), before: '' });
  return (
    <div className="condition-row">
      <PickText
        draft={pathDraft}
        aria-label="Path"
        listLabel="Values to look at"
        placeholder={offered[0]?.path ?? 'node.field'}
        suggestions={offered.map(({ path: text, detail }) => ({ text, detail }))}
      />
      <Select
        aria-label="Comparison"
        disabled={isDisabled}
        value={operator}
        options={shown.map(([name, text]) => ({ value: name, text }))}
        onChange={(next) => {
          const isNot = next.startsWith('not ');
          onRow({ ...row, isNegated: isNot, op: next.slice(isNot ? 4 : 0) as CompareRow['op'] });
        }}
      />
      {op === 'exists' ? null : (
        <TextInput
          aria-label="Value"
          placeholder={op === 'in' ? 'one, two' : 'value'}
          disabled={isDisabled}
          value={valueDraft.text}
          onChange={(event) => valueDraft.onType(event.target.value)}
          onBlur={valueDraft.onLeave}
          onKeyDown={(event) => {
            if (event.key === 'Enter') valueDraft.onLeave();
          }}
        />
      )}
      <RemoveButton what="the comparison" onRemove={onRemove} />
      <ChangedElsewhere draft={valueDraft} />
    </div>
  );
}

type GroupWord = `${'' | 'not '}${GroupRow['word']}`;

const groupWords: readonly SelectOption<GroupWord>[] = [
  { value: 'and', text: 'all of' },
  { value: 'or', text: 'any of' },
  { value: 'not and', text: 'not all of' },
  { value: 'not or', text: 'none of' },
];

function GroupFields({ row, onRow, onRemove }: ConditionRowProps<GroupRow>) {
  const { isDisabled } = useFormScope();
  const { isNegated, word, rows } = row;
  const put = (next: readonly ConditionRow[]): void => onRow({ ...row, rows: next });
  return (
    <fieldset className="condition-group">
      <legend className="visually-hidden">Group of conditions</legend>
      <div className="condition-head">
        <Select
          aria-label="How the conditions count together"
          disabled={isDisabled}
          value={`${isNegated ? 'not ' : ''}${word}`}
          options={groupWords}
          onChange={(next) =>
            onRow({ ...row, isNegated: next.startsWith('not '), word: next.endsWith('and') ? 'and' : 'or' })
          }
        />
        <RemoveButton what="the group" onRemove={onRemove} />
      </div>
      {rows.map((part, index) => (
        <ConditionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names, and keep what is typed by their place
          key={index}
          row={part}
          onRow={(next) => put(rows.with(index, next))}
          onRemove={() => put(rows.toSpliced(index, 1))}
        />
      ))}
      {isDisabled ? null : (
        <div className="condition-adders">
          <AddButton text="Condition" onAdd={() => put([...rows, emptyRow])} />
          <AddButton
            text="Group"
            onAdd={() => put([...rows, { kind: 'group', isNegated: false, word: 'or', rows: [emptyRow] }])}
          />
        </div>
      )}
    </fieldset>
  );
}

function AddButton({ text, onAdd }: { text: string; onAdd: () => void }) {
  return (
    <Button size="small" variant="ghost" onClick={onAdd}>
      <Plus aria-hidden size={13} />
      {text}
    </Button>
  );
}

/** An expression that rows cannot represent, as JSON. */
function RawFields({ row, onRow, onRemove }: ConditionRowProps<RawRow>) {
  const { isDisabled } = useFormScope();
  const [typed, setTyped] = useState<string>();
  const { shown, handlers } = useSettledProblems(typed === undefined ? [] : [typed]);
  const [problem] = shown;
  const draft = useDraftText(valueText(row.value), (text) => {
    const wrong = typedProblem(text);
    setTyped(wrong);
    if (wrong === undefined) onRow(rowOf(typedValue(text)));
    return wrong === undefined;
  });
  return (
    <div className="condition-raw" {...handlers}>
      <textarea
        className="field-input field-area"
        aria-label="Condition as JSON"
        aria-invalid={problem !== undefined}
        disabled={isDisabled}
        spellCheck={false}
        value={draft.text}
        onChange={(event) => draft.onType(event.target.value)}
        onBlur={draft.onLeave}
      />
      <RemoveButton what="the condition" onRemove={onRemove} />
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
      <p className="inspector-quiet">Always.</p>
    ) : (
      <div className="condition-editor">
        <AddButton text="Condition" onAdd={() => put(emptyRow)} />
      </div>
    );
  }
  return (
    <div className="condition-editor">
      <ConditionFields row={row} onRow={put} onRemove={isRequired ? undefined : remove} />
      {row.kind === 'group' || isDisabled ? null : (
        <AddButton
          text="Condition"
          onAdd={() => put({ kind: 'group', isNegated: false, word: 'and', rows: [row, emptyRow] })}
        />
      )}
    </div>
  );
}
