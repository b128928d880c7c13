/**
 * A flow of a catalogue: when it is meant, what it needs, what does its work, and where it leads.
 */
import { Trash2 } from 'lucide-react';
import type { CatalogueDoc, FlowTypeDoc, JsonValue, PolicyDoc } from '../../engine/isomorphic.ts';
import { builtinPolicies } from '../../engine/isomorphic.ts';
import { AheadField } from '../inspector/ahead-field.tsx';
import { plainField } from '../inspector/form-fields.ts';
import type { ChangeValue } from '../inspector/form-scope.tsx';
import { Group } from '../inspector/setting-rows.tsx';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { IconButton } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select, type SelectOption } from '../ui/select.tsx';
import { type ChangeAt, readOnlyReason, useCatalogueActions } from './catalogue-actions.ts';
import { lanesOf, type PolicyKind, policyOf } from './catalogue-lanes.ts';
import { RenameRow } from './rename-row.tsx';
import { SlotsForm } from './slots-form.tsx';

const aboutField = plainField('description', 'long-text', {
  label: 'Description',
  description: 'With the examples, all that tells when it is meant',
});
const examplesField = plainField('examples', 'list', {
  label: 'Examples',
  description: 'What people say who want it',
  member: plainField('', 'text'),
});
const toolsField = plainField('tools', 'list', {
  label: 'Tools',
  description: 'One to three, and no others can be called',
  member: plainField('', 'tool'),
});
const everyField = plainField('every', 'number', {
  label: 'Every so many turns',
  limits: { min: 1, max: 10_000, isInteger: true },
});

interface FlowTypeFormProps {
  readonly file: SettledFlow;
  readonly catalogue: CatalogueDoc;
  readonly flow: FlowTypeDoc;
}

export function FlowTypeForm({ file, catalogue, flow }: FlowTypeFormProps) {
  const { edits } = useStores();
  const { path } = file;
  const { name, description, examples } = flow;
  const actions = useCatalogueActions(path);
  const isDisabled = readOnlyReason(file) !== null;
  const changeAt: ChangeAt =
    (...at) =>
    (value, mergeKey) =>
      edits.changeCatalogue(path, { do: 'set-in-flow', flow: name, path: at, value }, mergeKey);
  const isInternal = flow.intent === 'Internal';
  return (
    <>
      <FlowTypeHead file={file} flow={flow} onRemove={isDisabled ? null : () => void actions.remove(catalogue, name)} />
      <div className="inspector-scroll">
        <div className="inspector-body catalogue-inspector">
          <Group title="Flow">
            <div className="form-fields">
              <RenameRow
                label="Name"
                name={name}
                others={catalogue.flows.map((one) => one.name)}
                isDisabled={isDisabled}
                onRename={(to) => actions.rename(name, to)}
              />
              <IntentField catalogue={catalogue} flow={flow} isDisabled={isDisabled} changeAt={changeAt} />
              <AheadField field={aboutField} value={description} onChange={changeAt('description')} />
              <AheadField field={examplesField} value={examples} onChange={changeAt('examples')} />
            </div>
          </Group>
          <SlotsForm path={path} catalogue={catalogue} flow={flow} isDisabled={isDisabled} changeAt={changeAt} />
          <Group title="Policy">
            <div className="form-fields">
              <PolicyFields policy={flow.policy} isDisabled={isDisabled} onChange={changeAt('policy')} />
              <AheadField field={toolsField} value={flow.tools} onChange={changeAt('tools')} />
            </div>
          </Group>
          <Group title="Where it leads">
            <div className="form-fields">
              {isInternal ? (
                <AheadField field={everyField} value={flow.every} onChange={changeAt('every')} />
              ) : (
                <FallbackField catalogue={catalogue} flow={flow} isDisabled={isDisabled} changeAt={changeAt} />
              )}
            </div>
          </Group>
        </div>
      </div>
    </>
  );
}

interface FlowTypeHeadProps {
  readonly file: SettledFlow;
  readonly flow: FlowTypeDoc;
  readonly onRemove: (() => void) | null;
}

function FlowTypeHead({ file, flow: { name, intent }, onRemove }: FlowTypeHeadProps) {
  const { selection } = useStores();
  const line = file.nodeRanges.get(name)?.line;
  return (
    <header className="inspector-top">
      <div className="inspector-title">
        <h2 className="inspector-name catalogue-flow-name" title={name}>
          {name}
        </h2>
        {onRemove === null ? null : (
          <IconButton label={`Remove ${name}`} hint="Delete" onClick={onRemove}>
            <Trash2 aria-hidden size={14} />
          </IconButton>
        )}
      </div>
      <div className="inspector-crumb">
        <span>flow of {intent}</span>
        {line === undefined ? null : (
          <button
            type="button"
            className="inspector-line-link"
            onClick={() => selection.getState().revealText(file.path, { line, column: 1 })}
          >
            Line {line}
          </button>
        )}
      </div>
    </header>
  );
}

interface ChoiceProps extends Omit<FlowTypeFormProps, 'file'> {
  readonly isDisabled: boolean;
  readonly changeAt: ChangeAt;
}

function IntentField({ catalogue, flow, isDisabled, changeAt }: ChoiceProps) {
  const names = [...lanesOf(catalogue).map(({ intent }) => intent), 'Plan', 'Converse', 'Internal'];
  return (
    <Field label="Intent">
      {(control) => (
        <Select
          {...control}
          disabled={isDisabled}
          value={flow.intent}
          options={[...new Set(names)].map((value) => ({ value, text: value }))}
          onChange={(intent) => void changeAt('intent')(intent)}
        />
      )}
    </Field>
  );
}

function FallbackField({ catalogue, flow, isDisabled, changeAt }: ChoiceProps) {
  const others = catalogue.flows.filter(({ name, intent }) => name !== flow.name && intent !== 'Internal');
  const options: readonly SelectOption<string>[] = [
    { value: '', text: 'no other flow' },
    ...others.map(({ name, intent }) => ({ value: name, text: name, hint: intent })),
  ];
  return (
    <Field label="Falls back to" about="The flow that takes over when this one was the wrong one.">
      {(control) => (
        <Select
          {...control}
          disabled={isDisabled}
          value={flow.fallback ?? ''}
          placeholder={flow.fallback ?? ''}
          options={options}
          onChange={(name) => void changeAt('fallback')(name === '' ? undefined : name)}
        />
      )}
    </Field>
  );
}

const policyKinds: readonly SelectOption<PolicyKind>[] = [
  { value: 'skill', text: 'A skill' },
  { value: 'agent', text: 'An agent' },
  { value: 'flow', text: 'A flow file' },
  { value: 'builtin', text: 'What is built in' },
];

const skillField = plainField('skill', 'text', {
  label: 'Folder',
  description: 'It holds a SKILL.md',
  isRequired: true,
});
const agentField = plainField('agent', 'agent', { label: 'Agent', isRequired: true });
const flowField = plainField('flow', 'flow', { label: 'File', isRequired: true });
const builtinField = plainField('builtin', 'enum', { label: 'Which', options: builtinPolicies, isRequired: true });
const fieldOfKind = { skill: skillField, agent: agentField, flow: flowField, builtin: builtinField } as const;

/** What a policy of another kind begins with. */
const firstNames: Readonly<Record<PolicyKind, string>> = {
  skill: 'skills/new-skill',
  agent: 'my@agent',
  flow: 'new.flow.yaml',
  builtin: 'chat',
};

interface PolicyFieldsProps {
  readonly policy: PolicyDoc;
  readonly isDisabled: boolean;
  readonly onChange: ChangeValue;
}

function PolicyFields({ policy, isDisabled, onChange }: PolicyFieldsProps) {
  const { kind, name } = policyOf(policy);
  const put = (as: PolicyKind, value: JsonValue | undefined, mergeKey?: string): Promise<boolean> =>
    onChange({ [as]: value ?? '' }, mergeKey);
  return (
    <>
      <Field label="Done by">
        {(control) => (
          <Select
            {...control}
            disabled={isDisabled}
            value={kind}
            options={policyKinds}
            onChange={(next) => void put(next, firstNames[next])}
          />
        )}
      </Field>
      <AheadField
        key={kind}
        field={fieldOfKind[kind]}
        value={name}
        onChange={(value, mergeKey) =>
          value === undefined || value === '' ? Promise.resolve(false) : put(kind, value, mergeKey)
        }
      />
    </>
  );
}
