/**
 * The form of a flow in a catalog: when it is selected, its slots, its policy, and the flows it leads to.
 */
import { Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import {
  builtinPolicies,
  type CatalogueDoc,
  type ChangePath,
  catalogueShapes,
  type FlowTypeDoc,
  type JsonValue,
  type PolicyDoc,
  universalIntents,
} from '../../engine/isomorphic.ts';
import { AheadField } from '../inspector/fields/ahead-field.tsx';
import { plainField, schemaField } from '../inspector/fields/form-fields.ts';
import { type ChangeValue, FormScopeContext, useFormScope } from '../inspector/fields/form-scope.tsx';
import { Group, Section } from '../inspector/fields/setting-rows.tsx';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { IconButton } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Select, type SelectOption } from '../ui/select.tsx';
import { useCatalogueActions } from './catalogue-actions.ts';
import { CatalogueChoice, CatalogueField, useCatalogueForm } from './catalogue-fields.tsx';
import { lanesOf, type PolicyKind, policyOf } from './catalogue-lanes.ts';
import { RenameRow } from './rename-row.tsx';
import { SlotsForm } from './slots-form.tsx';
import { text } from './text.ts';

const aboutField = schemaField('description', catalogueShapes.flow.description);
const examplesField = schemaField('examples', catalogueShapes.flow.examples);
const asideField = schemaField('aside', catalogueShapes.flow.aside);
const toolsField = schemaField('tools', catalogueShapes.flow.tools);
const everyField = schemaField('every', catalogueShapes.flow.every);
const dependsField = schemaField('dependsOn', catalogueShapes.flow.dependsOn);
const outputField = schemaField('output', catalogueShapes.flow.output);
const latsFields = [
  schemaField('candidates', catalogueShapes.lats.candidates),
  schemaField('when', catalogueShapes.lats.when),
] as const;

interface FlowTypeFormProps {
  readonly file: SettledFlow;
  readonly catalogue: CatalogueDoc;
  readonly flow: FlowTypeDoc;
}

export function FlowTypeForm({ file, catalogue, flow }: FlowTypeFormProps) {
  const { isDisabled, set } = useCatalogueForm();
  const { name, description, examples, intent } = flow;
  const actions = useCatalogueActions(file.path);
  const at = ['flows', catalogue.flows.indexOf(flow)];
  return (
    <>
      <FlowTypeHead file={file} flow={flow} onRemove={isDisabled ? null : () => void actions.remove(catalogue, name)} />
      <div className="inspector-scroll">
        <div className="inspector-body catalogue-inspector">
          <Group title={text.flow.title}>
            <div className="form-fields">
              <RenameRow
                label={text.flow.name}
                name={name}
                others={catalogue.flows.map((one) => one.name)}
                isDisabled={isDisabled}
                onRename={(to) => actions.rename(name, to)}
              />
              <CatalogueChoice
                label={text.flow.intent}
                at={[...at, 'intent']}
                value={intent}
                options={intentsOf(catalogue)}
              />
              <CatalogueField field={aboutField} at={[...at, 'description']} value={description} />
              <CatalogueField field={examplesField} at={[...at, 'examples']} value={examples} />
            </div>
          </Group>
          <SlotsForm flow={flow} at={at} />
          <Group title={text.flow.policy}>
            <div className="form-fields">
              <PolicyFields
                policy={flow.policy}
                isDisabled={isDisabled}
                onChange={(value, mergeKey) => set([...at, 'policy'], value, { mergeKey })}
              />
              <CatalogueField field={toolsField} at={[...at, 'tools']} value={flow.tools} />
            </div>
          </Group>
          <WhereItLeads catalogue={catalogue} flow={flow} at={at} />
          <Section title={text.flow.more} note={moreNote(flow)} startsFolded>
            <div className="form-fields">
              {intent === 'Plan' || flow.lats !== undefined
                ? latsFields.map((field) => {
                    const key = field.path[0] as keyof NonNullable<FlowTypeDoc['lats']>;
                    // A value equal to the default is shown as if it were not set.
                    const value = flow.lats?.[key] === field.default ? undefined : flow.lats?.[key];
                    return <CatalogueField key={key} field={field} at={[...at, 'lats', key]} value={value} />;
                  })
                : null}
              <CatalogueField field={outputField} at={[...at, 'output']} value={flow.output} />
            </div>
          </Section>
        </div>
      </div>
    </>
  );
}

/** Returns a summary of the settings that are set. */
function moreNote({ output, lats }: FlowTypeDoc): string | undefined {
  const set = [
    ...(lats === undefined ? [] : [text.flow.comparison]),
    ...(output === undefined ? [] : [text.flow.output]),
  ];
  return set.length === 0 ? undefined : set.join(', ');
}

interface LeadsProps extends Omit<FlowTypeFormProps, 'file'> {
  readonly at: ChangePath;
}

/**
 * Internal flows run beside the conversation. Any other flow can have a fallback. Settings that do not apply but are in
 * the file are still shown, so that they can be corrected.
 */
function WhereItLeads({ catalogue, flow, at }: LeadsProps) {
  const { name, intent, fallback, aside, every, dependsOn } = flow;
  const isInternal = intent === 'Internal';
  const others = catalogue.flows.filter((one) => one.name !== name && one.intent !== 'Internal');
  const options: readonly SelectOption<string>[] = [
    { value: '', text: text.flow.noFallback },
    ...others.map((one) => ({ value: one.name, text: one.name, hint: one.intent })),
  ];
  return (
    <Group title={isInternal ? text.flow.whenItRuns : text.flow.whatFollows}>
      <div className="form-fields">
        {isInternal || every !== undefined ? (
          <CatalogueField field={everyField} at={[...at, 'every']} value={every} />
        ) : null}
        {isInternal || dependsOn !== undefined ? <WaitsFor catalogue={catalogue} flow={flow} at={at} /> : null}
        {(isInternal || intent === 'Plan') && aside === undefined ? null : (
          <CatalogueField field={asideField} at={[...at, 'aside']} value={aside} />
        )}
        {isInternal && fallback === undefined ? null : (
          <CatalogueChoice
            label={text.flow.fallback}
            about={text.flow.fallbackAbout}
            at={[...at, 'fallback']}
            value={fallback ?? ''}
            options={options}
          />
        )}
      </div>
    </Group>
  );
}

/**
 * The internal flows that this one waits for. A flow that already waits for this one is not offered, because it would
 * create a cycle.
 */
function WaitsFor({ catalogue, flow, at }: LeadsProps) {
  const around = useFormScope();
  const scope = useMemo(() => {
    const others = catalogue.flows.filter(({ name, intent }) => name !== flow.name && intent === 'Internal');
    return {
      ...around,
      listed: others.map(({ name }) => ({
        id: name,
        name: undefined,
        whyNot: waitsFor(catalogue, name, flow.name) ? text.flow.waitsForThis : undefined,
      })),
    };
  }, [around, catalogue, flow.name]);
  return (
    <FormScopeContext value={scope}>
      <CatalogueField field={dependsField} at={[...at, 'dependsOn']} value={flow.dependsOn} />
    </FormScopeContext>
  );
}

/** Returns whether a flow waits for another one, directly or through others. */
function waitsFor({ flows }: CatalogueDoc, from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === to) return true;
    if (seen.has(name)) continue;
    seen.add(name);
    open.push(...(flows.find((one) => one.name === name)?.dependsOn ?? []));
  }
  return false;
}

function intentsOf(catalogue: CatalogueDoc): readonly SelectOption<string>[] {
  const names = new Set([...lanesOf(catalogue).map(({ intent }) => intent), ...universalIntents]);
  return [...names].map((value) => ({ value, text: value }));
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
          <IconButton label={text.flow.remove({ name })} hint={text.flow.deleteKey} onClick={onRemove}>
            <Trash2 aria-hidden size={14} />
          </IconButton>
        )}
      </div>
      <div className="inspector-crumb">
        <span>{text.flow.ofIntent({ intent })}</span>
        {line === undefined ? null : (
          <button
            type="button"
            className="inspector-line-link"
            onClick={() => selection.getState().revealText(file.path, { line, column: 1 })}
          >
            {text.flow.line({ line })}
          </button>
        )}
      </div>
    </header>
  );
}

const policyKinds: readonly SelectOption<PolicyKind>[] = [
  { value: 'skill', text: text.policy.skill },
  { value: 'agent', text: text.policy.agent },
  { value: 'flow', text: text.policy.flow },
  { value: 'builtin', text: text.policy.builtin },
];

const skillField = plainField('skill', 'skill', {
  label: text.policy.folder,
  description: text.policy.folderAbout,
  isRequired: true,
});
const agentField = plainField('agent', 'agent', { label: text.policy.agentLabel, isRequired: true });
const flowField = plainField('flow', 'flow', { label: text.policy.file, isRequired: true });
const builtinField = plainField('builtin', 'enum', {
  label: text.policy.builtinLabel,
  options: builtinPolicies,
  isRequired: true,
});
const fieldOfKind = { skill: skillField, agent: agentField, flow: flowField, builtin: builtinField } as const;

/** Initial names for a policy of another kind. */
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
      <Field label={text.policy.kind}>
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
