/**
 * One field of a form: its label, its actions, the editor for its kind, and its problems.
 */
import { Braces, RotateCcw } from 'lucide-react';
import { type ComponentType, type HTMLAttributes, type ReactNode, type Ref, useId, useMemo, useState } from 'react';
import { isJsonList, isJsonMap, type JsonValue } from '../../../engine/isomorphic.ts';
import { IconButton } from '../../ui/button.tsx';
import { BooleanEditor, EnumEditor } from '../field-editors/choice-editors.tsx';
import { CodeEditor } from '../field-editors/code-editor.tsx';
import { ConditionEditor } from '../field-editors/condition-editor.tsx';
import type { FieldEditorProps, FieldRowProps } from '../field-editors/field-editor-props.ts';
import '../field-editors/field-editors.css';
import { GlobEditor } from '../field-editors/glob-editor.tsx';
import { ListEditor, NamesEditor } from '../field-editors/list-editor.tsx';
import { CallEditor, GroupEditor, MapEditor } from '../field-editors/map-editor.tsx';
import { ModelEditor } from '../field-editors/model-editor.tsx';
import {
  AgentEditor,
  FileEditor,
  FlowEditor,
  ScriptEditor,
  SkillEditor,
  ToolEditor,
} from '../field-editors/name-editors.tsx';
import { DurationEditor, NumberEditor } from '../field-editors/number-editor.tsx';
import { AddressEditor, BoundEditor, JsonEditor, mixedText, TextEditor } from '../field-editors/text-editor.tsx';
import { SchemaEditor } from '../schema-form/schema-editor.tsx';
import { focusControl, useFirstFocus } from './focus-control.ts';
import type { FieldKind, FormField } from './form-fields.ts';
import { FormScopeContext, useFormScope } from './form-scope.tsx';
import { text } from './text.ts';
import { useSettledProblems } from './use-settled-problems.ts';

const editors: Readonly<Record<FieldKind, ComponentType<FieldEditorProps>>> = {
  text: TextEditor,
  'long-text': TextEditor,
  prompt: TextEditor,
  code: TextEditor,
  javascript: CodeEditor,
  lua: CodeEditor,
  number: NumberEditor,
  slider: NumberEditor,
  duration: DurationEditor,
  boolean: BooleanEditor,
  enum: EnumEditor,
  list: ListEditor,
  map: MapEditor,
  group: GroupEditor,
  json: JsonEditor,
  model: ModelEditor,
  agent: AgentEditor,
  flow: FlowEditor,
  tool: ToolEditor,
  call: CallEditor,
  file: FileEditor,
  script: ScriptEditor,
  skill: SkillEditor,
  glob: GlobEditor,
  nodes: NamesEditor,
  schema: SchemaEditor,
  url: AddressEditor,
  condition: ({ field, value, onChange }) => (
    <ConditionEditor value={value} onChange={onChange} isRequired={field.isRequired} />
  ),
};

/** Kinds with several controls. They have a name, but no single control that a label could refer to. */
export const compound: ReadonlySet<FieldKind> = new Set([
  'javascript',
  'lua',
  'list',
  'map',
  'group',
  'call',
  'condition',
  'nodes',
  'schema',
]);

/** Kinds with a default editor that accepts bindings. */
const textual: ReadonlySet<FieldKind> = new Set([
  'text',
  'url',
  'long-text',
  'prompt',
  'code',
  'javascript',
  'lua',
  'glob',
  'json',
]);

/** Returns whether the selected nodes have different values and the editor has no placeholder that could say so. */
function needsMixedNote({ isMixed = false, kind }: FormField): boolean {
  return isMixed && !textual.has(kind) && !['number', 'duration', 'enum'].includes(kind);
}

function isBinding(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value.includes('{{');
}

/** Returns whether the default editor of a kind can show a value. Other values are edited as JSON. */
function fits(kind: FieldKind, value: JsonValue | undefined): boolean {
  if (value === undefined || kind === 'json' || kind === 'condition' || kind === 'schema') return true;
  if (kind === 'list' || kind === 'nodes') return isJsonList(value);
  if (kind === 'map' || kind === 'group' || kind === 'call') return isJsonMap(value);
  if (kind === 'boolean') return typeof value === 'boolean';
  return typeof value !== 'object';
}

interface ShapeProps extends HTMLAttributes<HTMLDivElement> {
  readonly ref: Ref<HTMLDivElement>;
  readonly isCompound: boolean;
  readonly isBare: boolean;
  readonly id: string;
  readonly label: string;
  readonly title: string;
  readonly actions: ReactNode;
}

/** Label and actions above the control, or a group if there are several controls. */
function FieldShape({ isCompound, isBare, id, label, title, actions, children, ...rest }: ShapeProps) {
  const labelId = `${id}-label`;
  const labelClass = isBare ? 'visually-hidden' : 'form-label';
  const head = (
    <div className="form-head" data-bare={isBare}>
      {isCompound ? (
        <span id={labelId} className={labelClass} title={title}>
          {label}
        </span>
      ) : (
        <label htmlFor={id} className={labelClass} title={title}>
          {label}
        </label>
      )}
      {actions}
    </div>
  );
  if (!isCompound) {
    return (
      <div {...rest} className="form-field" data-bare={isBare}>
        {head}
        {children}
      </div>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend cannot be on one line with buttons
    <div {...rest} className="form-field" data-bare={isBare} role="group" aria-labelledby={labelId}>
      {head}
      {children}
    </div>
  );
}

/** The value that a single binding resolved to in the run on screen. */
function LastValue({ value }: { value: JsonValue | undefined }) {
  const { lastValue } = useFormScope();
  const path = typeof value === 'string' ? /^\{\{\s*\??\s*([^\s|{}]+)[^{}]*\}\}$/.exec(value)?.[1] : undefined;
  const last = path === undefined ? undefined : lastValue(path);
  return last === undefined ? null : <p className="form-last">{text.row.lastValue({ value: last })}</p>;
}

interface FieldActionsProps extends Pick<FieldRowProps, 'field' | 'value'> {
  readonly label: string;
  readonly isBare: boolean;
  readonly isBound: boolean;
  readonly onReset: () => void;
  readonly onBind: (isBound: boolean) => void;
}

function FieldActions({ field, value, label, isBare, isBound, onReset, onBind }: FieldActionsProps) {
  const { isDisabled } = useFormScope();
  if (isDisabled) return null;
  const { kind, mayBind, isRequired } = field;
  const canReset = !isRequired && !isBare && value !== undefined;
  return (
    <span className="form-actions">
      {canReset ? (
        <IconButton label={text.row.restoreDefault({ label })} onClick={onReset}>
          <RotateCcw aria-hidden size={12} />
        </IconButton>
      ) : null}
      {mayBind && !textual.has(kind) ? (
        <IconButton
          label={isBound ? text.row.unbind({ label }) : text.row.bind({ label })}
          aria-pressed={isBound}
          onClick={() => onBind(!isBound)}
        >
          <Braces aria-hidden size={12} />
        </IconButton>
      ) : null}
    </span>
  );
}

function editorOf({ field, value }: Pick<FieldRowProps, 'field' | 'value'>, isBound: boolean) {
  if (isBound) return BoundEditor;
  return fits(field.kind, value) ? editors[field.kind] : JsonEditor;
}

/** The row of a field. If the field has a different scope than the flow, its nested fields also use that scope. */
export function FieldRow(props: FieldRowProps) {
  const scope = useFormScope();
  const { sees } = props.field;
  const inner = useMemo(() => ({ ...scope, sees }), [scope, sees]);
  if (sees === scope.sees) return <PlainRow {...props} />;
  return (
    <FormScopeContext value={inner}>
      <PlainRow {...props} />
    </FormScopeContext>
  );
}

function PlainRow(props: FieldRowProps) {
  const {
    field,
    value,
    onChange,
    isBare = false,
    problems = [],
    isFocused = false,
    label = field.label,
    buttons,
  } = props;
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [isAsked, setIsAsked] = useState(false);
  const { kind, mayBind, description } = field;
  const isBound = mayBind && !textual.has(kind) && (isAsked || isBinding(value));
  const Editor = editorOf(props, isBound);
  const shape = useFirstFocus<HTMLDivElement>(isFocused);
  const { shown, handlers } = useSettledProblems(
    [typed, ...problems.map(({ message }) => message)].filter((message) => message !== undefined),
  );
  const problem = shown.length === 0 ? undefined : shown.join(' ');
  const about = [description && `${id}-about`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <FieldShape
      {...handlers}
      ref={shape}
      isCompound={compound.has(kind) && Editor === editors[kind]}
      isBare={isBare}
      id={id}
      label={label}
      title={description}
      actions={
        <>
          <FieldActions
            field={field}
            value={value}
            label={label}
            isBare={isBare}
            isBound={isBound}
            onReset={() => {
              focusControl(shape.current);
              void onChange(undefined);
            }}
            onBind={(next) => {
              setIsAsked(next);
              if (!next && value !== undefined) void onChange(undefined);
            }}
          />
          {needsMixedNote(field) ? <span className="form-mixed">{mixedText}</span> : null}
          {buttons}
        </>
      }
    >
      <Editor
        field={field}
        value={value}
        onChange={onChange}
        onProblem={setTyped}
        control={{ id, 'aria-invalid': problem !== undefined, 'aria-describedby': about === '' ? undefined : about }}
        Row={FieldRow}
        isFocused={isAsked || isFocused}
      />
      {description === '' ? null : (
        <span id={`${id}-about`} className="visually-hidden">
          {description}
        </span>
      )}
      <LastValue value={value} />
      {problem === undefined ? null : (
        <div id={`${id}-problem`} className="field-problem">
          {problem}
        </div>
      )}
    </FieldShape>
  );
}
