/**
 * The form of several selected nodes: the fields they have in common. A new value is written to all of them in a single
 * undo step.
 */
import { BoxSelect } from 'lucide-react';
import {
  type FlowChange,
  type JsonMap,
  type JsonValue,
  jsonEquals,
  type NodeDoc,
  typesOfFlow,
} from '../../engine/isomorphic.ts';
import { isStepFlow } from '../stores/flow/step-lane.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { useNodeTypes } from '../stores/use-node-types.ts';
import type { Chosen } from '../stores/window/selection.ts';
import { Field } from '../ui/field.tsx';
import { Select, type SelectOption } from '../ui/select.tsx';
import { mixedText } from './field-editors/text-editor.tsx';
import { AheadField } from './fields/ahead-field.tsx';
import { FieldForm } from './fields/field-form.tsx';
import { compound } from './fields/field-row.tsx';
import { type FormField, formOf, plainField } from './fields/form-fields.ts';
import { type ChangeValue, useFormScope } from './fields/form-scope.tsx';
import { Group } from './fields/setting-rows.tsx';
import { FlowFormScope, readOnlyReason } from './flow-form-scope.tsx';
import { afterFailure, attempts, pause, timeLimit } from './policy-form.tsx';
import { text } from './text.ts';

/** Returns text such as `2 nodes, 1 edge selected`. */
export function chosenText({ nodes, edges, notes, groups, triggers }: Chosen): string {
  const parts = [
    ...(nodes.size === 0 ? [] : [text.several.nodes({ count: nodes.size })]),
    ...(edges.size === 0 ? [] : [text.several.edges({ count: edges.size })]),
    ...(notes.size === 0 ? [] : [text.several.notes({ count: notes.size })]),
    ...(groups.size === 0 ? [] : [text.several.groups({ count: groups.size })]),
    ...(triggers.size === 0 ? [] : [text.several.triggers({ count: triggers.size })]),
  ];
  return text.several.selected({ elements: parts.join(', ') });
}

const nameField = plainField('name', 'text', { label: text.several.name });
const aboutField = plainField('description', 'long-text', { label: text.several.description });

type SharedSettingValue = { readonly value: JsonValue | undefined; readonly isMixed: boolean };

function sharedBy(nodes: readonly NodeDoc[], read: (node: NodeDoc) => JsonValue | undefined): SharedSettingValue {
  const [first, ...others] = nodes.map(read);
  const isSame = (value: JsonValue | undefined): boolean =>
    value === first || (value !== undefined && first !== undefined && jsonEquals(value, first));
  const isMixed = !others.every(isSame);
  return { value: isMixed ? undefined : first, isMixed };
}

/** Returns whether two types use a field in the same way. */
function isSameField(left: FormField, right: FormField): boolean {
  return left.kind === right.kind && left.label === right.label && jsonEquals([...left.options], [...right.options]);
}

/** Kinds of fields with a different meaning for each node, because they refer to nodes or another flow. */
const ofOneNode: ReadonlySet<FormField['kind']> = new Set(['nodes', 'call', 'condition', 'schema']);

interface SharedForm {
  readonly fields: readonly FormField[];
  readonly values: JsonMap;
}

/**
 * Returns the fields of a section that every node has. Lists and maps that differ are omitted, because no single value
 * could represent them.
 */
function sharedForm(
  nodes: readonly NodeDoc[],
  forms: readonly (readonly FormField[])[],
  part: 'input' | 'config',
): SharedForm {
  const [first = [], ...others] = forms;
  const values: Record<string, JsonValue> = {};
  const fields = first.flatMap((field) => {
    const key = String(field.path.at(-1));
    const twins = others.map((form) => form.find(({ path }) => path.at(-1) === key));
    const isCommon = twins.every((twin) => twin !== undefined && isSameField(twin, field));
    if (!isCommon || ofOneNode.has(field.kind)) return [];
    const { value, isMixed } = sharedBy(nodes, (node) => node[part]?.[key]);
    if (isMixed && compound.has(field.kind)) return [];
    if (value !== undefined) values[key] = value;
    return [isMixed ? { ...field, isMixed } : field];
  });
  return { fields, values };
}

/** Returns the change that sets the pause of a node. The file requires attempts beside it: one if none are set. */
function pauseChange({ id, policy }: NodeDoc, value: JsonValue | undefined): FlowChange {
  const isAlone = policy?.retry?.maxAttempts === undefined && value !== undefined;
  return isAlone
    ? { do: 'set-node', id, path: ['policy', 'retry'], value: { maxAttempts: 1, backoffMs: value } }
    : { do: 'set-node', id, path: ['policy', 'retry', 'backoffMs'], value };
}

/** Returns the change that sets the attempts of a node. Removing them also removes the pause between them. */
function attemptsChange({ id }: NodeDoc, value: JsonValue | undefined): FlowChange {
  const path = value === undefined ? ['policy', 'retry'] : ['policy', 'retry', 'maxAttempts'];
  return { do: 'set-node', id, path, value };
}

type NodeChangeFactory = (node: NodeDoc, value: JsonValue | undefined) => FlowChange;

/** Returns a factory of setters that write a value to all nodes. `what` is the label in the undo menu. */
function useChangeAll(
  path: string,
  nodes: readonly NodeDoc[],
): (what: string, changeOf: NodeChangeFactory) => ChangeValue {
  const { edits } = useStores();
  return (what, changeOf) => (value, mergeKey) => {
    const labelOf = value === undefined ? text.several.removeAll : text.several.setAll;
    const label = labelOf({ field: what, count: nodes.length });
    const key = mergeKey === undefined ? undefined : `${mergeKey} ${nodes.map(({ id }) => id).join()}`;
    return edits.change(path, { do: 'all', changes: nodes.map((node) => changeOf(node, value)), label }, key);
  };
}

function setAt(...path: string[]): NodeChangeFactory {
  return ({ id }, value) => ({ do: 'set-node', id, path, value });
}

interface FormProps {
  readonly flow: SettledFlow;
  readonly nodes: readonly NodeDoc[];
}

function PlainFields({ flow, nodes }: FormProps) {
  const changeAll = useChangeAll(flow.path, nodes);
  const row = (field: FormField, read: (node: NodeDoc) => JsonValue | undefined, changeOf: NodeChangeFactory) => {
    const { value, isMixed } = sharedBy(nodes, read);
    return <AheadField field={{ ...field, isMixed }} value={value} onChange={changeAll(field.label, changeOf)} />;
  };
  return (
    <>
      <Group title={text.several.plainFields}>
        <div className="form-fields">
          {row(nameField, ({ name }) => name, setAt('name'))}
          {row(aboutField, ({ description }) => description, setAt('description'))}
          <Choice
            label={text.several.enabled}
            options={partOptions}
            shared={sharedBy(nodes, ({ disabled }) => disabled === true)}
            onChange={(isOff) =>
              changeAll(text.several.disabledField, setAt('disabled'))(isOff === true ? true : undefined)
            }
          />
        </div>
      </Group>
      <Group title={text.several.policy}>
        <div className="form-fields">
          {row(attempts, ({ policy }) => policy?.retry?.maxAttempts, attemptsChange)}
          {row(pause, ({ policy }) => policy?.retry?.backoffMs, pauseChange)}
          {row(timeLimit, ({ policy }) => policy?.timeoutMs, setAt('policy', 'timeoutMs'))}
          <Choice
            label={text.several.continueOnError}
            options={afterFailure}
            shared={sharedBy(nodes, ({ policy }) => policy?.continueOnError)}
            onChange={changeAll(text.several.continueField, setAt('policy', 'continueOnError'))}
          />
        </div>
      </Group>
    </>
  );
}

type ChoiceValue = '' | 'true' | 'false';

const partOptions: readonly SelectOption<ChoiceValue>[] = [
  { value: 'false', text: text.several.yes },
  { value: 'true', text: text.several.no },
];

interface SharedChoiceProps {
  readonly label: string;
  readonly options: readonly SelectOption<ChoiceValue>[];
  readonly shared: SharedSettingValue;
  readonly onChange: (value: boolean | undefined) => unknown;
}

function Choice({ label, options, shared: { value, isMixed }, onChange }: SharedChoiceProps) {
  const { isDisabled } = useFormScope();
  const mixed: readonly SelectOption<ChoiceValue | 'mixed'>[] = isMixed ? [{ value: 'mixed', text: mixedText }] : [];
  return (
    <Field label={label}>
      {(control) => (
        <Select<ChoiceValue | 'mixed'>
          {...control}
          disabled={isDisabled}
          value={isMixed ? 'mixed' : value === undefined ? '' : value === true ? 'true' : 'false'}
          options={[...mixed, ...options]}
          onChange={(next) => {
            if (next !== 'mixed') onChange(next === '' ? undefined : next === 'true');
          }}
        />
      )}
    </Field>
  );
}

/** The settings and inputs that the types of all nodes have in common. */
function TypeFields({ flow, nodes }: FormProps) {
  const types = typesOfFlow(flow.doc, useNodeTypes());
  const changeAll = useChangeAll(flow.path, nodes);
  const specs = nodes.flatMap(({ type }) => types.get(type) ?? []);
  if (specs.length < nodes.length) return null;
  const parts = [
    { title: text.several.input, part: 'input' },
    { title: text.several.settings, part: 'config' },
  ] as const;
  return parts.map(({ title, part }) => {
    const { fields, values } = sharedForm(
      nodes,
      specs.map((spec) => formOf(spec)[part].fields),
      part,
    );
    if (fields.length === 0) return null;
    return (
      <Group key={part} title={title}>
        <FieldForm
          section={{ fields, extra: undefined }}
          values={values}
          mayBind={part === 'input'}
          problems={[]}
          onChange={(key, value, mergeKey) => changeAll(key, setAt(part, key))(value, mergeKey)}
        />
      </Group>
    );
  });
}

/** Returns text such as `2 prompt, 1 echo`. */
function typesText(nodes: readonly NodeDoc[]): string {
  const counts = new Map<string, number>();
  for (const { type } of nodes) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, count]) => `${count} ${type}`).join(', ');
}

/** Shown if several nodes are selected, possibly with edges and notes. */
export function SeveralNodes({ flow, chosen }: { readonly flow: SettledFlow; readonly chosen: Chosen }) {
  const nodes = flow.doc?.nodes.filter(({ id }) => chosen.nodes.has(id)) ?? [];
  const reason = readOnlyReason(flow);
  return (
    <FlowFormScope key={nodes.map(({ id }) => id).join()} flow={flow} nodeId={null}>
      <header className="inspector-top">
        <div className="inspector-title">
          <BoxSelect aria-hidden size={18} />
          <h2 className="inspector-name">{chosenText(chosen)}</h2>
        </div>
        <div className="inspector-crumb">{typesText(nodes)}</div>
      </header>
      <div className="inspector-scroll">
        <div className="inspector-body">
          <p className="inspector-quiet">{reason ?? text.several.writtenToAll}</p>
          <TypeFields flow={flow} nodes={nodes} />
          {isStepFlow(flow.doc) ? null : <PlainFields flow={flow} nodes={nodes} />}
        </div>
      </div>
    </FlowFormScope>
  );
}
