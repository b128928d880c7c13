/**
 * A node as a form: each change is the smallest edit of the file's text.
 */
import { type ChangePath, fieldProblems, type JsonMap, type JsonValue, type NodeDoc } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { ConditionEditor } from './field-editors/condition-editor.tsx';
import { conditionNote } from './field-editors/condition-rows.ts';
import { type ChangeKey, FieldForm, useAhead } from './field-form.tsx';
import { FlowFormScope } from './flow-form-scope.tsx';
import { type FormSection, formOf } from './form-fields.ts';
import type { ChangeValue } from './form-scope.tsx';
import { LastRun } from './last-run.tsx';
import type { NodeFacts } from './node-facts.ts';
import { NodeIdentity } from './node-identity.tsx';
import { NodeProblems } from './node-problems.tsx';
import { PolicyForm, policyNote } from './policy-form.tsx';
import { readOnlyReason } from './read-only-reason.ts';
import { Group, Section } from './setting-rows.tsx';

/** For types that nobody knows: everything is shown as it stands. */
const noSection: FormSection = { fields: [], extra: undefined };

interface ConditionFormProps {
  readonly value: JsonValue | undefined;
  readonly onChange: ChangeValue;
}

export function ConditionForm({ value, onChange }: ConditionFormProps) {
  const [shown, change] = useAhead(value, onChange);
  return <ConditionEditor value={shown} onChange={change} />;
}

function PolicySection({ node, onChange }: { node: NodeDoc; onChange: ChangeValue }) {
  const [policy, change] = useAhead(node.policy as JsonValue | undefined, onChange);
  return <PolicyForm policy={(policy ?? {}) as NonNullable<NodeDoc['policy']>} onChange={change} />;
}

interface SectionProps {
  readonly title: string;
  readonly section: FormSection;
  readonly values: JsonMap;
}

export function ConfigureTab({ flow, facts }: { flow: SettledFlow; facts: NodeFacts }) {
  const { edits } = useStores();
  const { node, spec } = facts;
  const { path, diagnostics } = flow;
  const reason = readOnlyReason(flow);
  const form = spec === undefined ? { input: noSection, config: noSection } : formOf(spec);
  const atFields = spec === undefined ? [] : fieldProblems(node, spec);
  const told = new Set(atFields.map(({ message }) => message));
  const others = diagnostics.filter(({ nodeId, message }) => nodeId === node.id && !told.has(message));

  const set = (at: ChangePath, value: JsonValue | undefined, mergeKey?: string): Promise<boolean> =>
    edits.change(path, { do: 'set-node', id: node.id, path: at, value }, mergeKey);
  const changeOf =
    (key: string): ChangeValue =>
    (value, mergeKey) =>
      set([key], value, mergeKey);
  const changeIn =
    (part: string): ChangeKey =>
    (key, value, mergeKey) =>
      set([part, key], value, mergeKey);

  const fields = ({ title, section, values }: SectionProps, part: 'input' | 'config') => {
    const isEmpty = section.fields.length === 0 && section.extra === undefined && Object.keys(values).length === 0;
    return isEmpty ? null : (
      <Group title={title}>
        <FieldForm
          section={section}
          values={values}
          mayBind={part === 'input'}
          problems={atFields.filter((problem) => problem.path[0] === part)}
          onChange={changeIn(part)}
        />
      </Group>
    );
  };
  return (
    <FlowFormScope flow={flow} nodeId={node.id}>
      <div className="inspector-body">
        {reason === null ? null : <p className="inspector-note">{reason}</p>}
        <p className="inspector-quiet">
          {spec?.description ?? `No node type "${node.type}" is known, so its values are shown as they stand.`}
        </p>
        {fields({ title: 'Input', section: form.input, values: node.input }, 'input')}
        {fields({ title: 'Settings', section: form.config, values: node.config ?? {} }, 'config')}
        <NodeProblems path={path} problems={others} />
        <Section title="Runs when" note={conditionNote(node.when as JsonValue | undefined)}>
          <ConditionForm value={node.when as JsonValue | undefined} onChange={changeOf('when')} />
        </Section>
        <Section title="Policy" note={policyNote(node.policy)}>
          <PolicySection node={node} onChange={changeOf('policy')} />
        </Section>
        <Section title="Node">
          <NodeIdentity flow={flow} node={node} changeOf={changeOf} />
        </Section>
        <LastRun facts={facts} />
      </div>
    </FlowFormScope>
  );
}
