/**
 * A node as a form. Each change is the smallest edit of the file's text.
 */

import { CircleX, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import {
  type ChangePath,
  type Diagnostic,
  type FieldProblem,
  fieldProblems,
  type JsonMap,
  type JsonValue,
  type NodeDoc,
} from '../../engine/isomorphic.ts';
import { isStepFlow } from '../stores/flow/step-lane.ts';
import { stepProblems } from '../stores/flow/step-problems.ts';
import { nodeDurationMs } from '../stores/runs/live/run-time.ts';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useOpenFilePart } from '../stores/use-flow.ts';
import { isModelWarning } from '../stores/workspace/model-checks.ts';
import type { CodeMark } from '../ui/code-field.ts';
import { numberText } from '../ui/language.ts';
import { durationText } from '../ui/quantity-text.ts';
import { visualStateLabels } from '../ui/state-icon.tsx';
import { isLargeValue } from '../ui/value-parts.ts';
import { ConditionEditor } from './field-editors/condition-editor.tsx';
import { conditionNote } from './field-editors/condition-rows.ts';
import { CaseAdders } from './fields/case-adders.tsx';
import { type ChangeKey, FieldForm, fieldsOfPart } from './fields/field-form.tsx';
import { type FormSection, formOf } from './fields/form-fields.ts';
import type { ChangeValue } from './fields/form-scope.tsx';
import { Group, Section } from './fields/setting-rows.tsx';
import { useAhead } from './fields/use-ahead.ts';
import { FlowFormScope, readOnlyReason } from './flow-form-scope.tsx';
import { advancedNote } from './flow-settings.tsx';
import { NodeIdentity } from './node-identity.tsx';
import { PolicyForm, policyNote } from './policy-form.tsx';
import type { NodeFacts } from './run/node-facts.ts';
import { retryNote, StepRetryForm } from './step-retry-form.tsx';
import { text } from './text.ts';

/** Returns the problems in the code of a node, and the error it raised in the shown run. */
function useCodeMarks({ diagnostics }: SettledFlow, { node, nodeState, stale }: NodeFacts): readonly CodeMark[] {
  const error = stale === null ? nodeState?.error : undefined;
  return useMemo(() => {
    const written = diagnostics.flatMap(({ nodeId, codeLine, message }) =>
      nodeId === node.id && codeLine !== undefined ? [{ line: codeLine, message }] : [],
    );
    const { codeLine } = (error?.details ?? {}) as { readonly codeLine?: unknown };
    const failed =
      typeof codeLine === 'number' && error !== undefined ? [{ line: codeLine, message: error.message }] : [];
    return [...written, ...failed];
  }, [diagnostics, node.id, error]);
}

/** Returns the problems of individual fields. */
function useFieldProblems({ doc, path, diagnostics }: SettledFlow, { node, spec }: NodeFacts): readonly FieldProblem[] {
  const isStep = isStepFlow(doc);
  const source = useOpenFilePart(path, (file) => (isStep ? file.text : '')) ?? '';
  return useMemo(() => {
    if (isStep) return stepProblems(source, node, diagnostics);
    return spec === undefined ? [] : fieldProblems(node, spec);
  }, [isStep, source, node, diagnostics, spec]);
}

/** For unknown types: everything is shown as it is in the file. */
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

interface AdvancedFieldsProps {
  readonly form: { readonly input: FormSection; readonly config: FormSection };
  readonly node: NodeDoc;
  readonly problems: readonly FieldProblem[];
  readonly changeIn: (part: 'input' | 'config') => ChangeKey;
}

/** The fields that most flows do not need. Renders nothing if the type has none. */
function AdvancedFields({ form, node, problems, changeIn }: AdvancedFieldsProps) {
  const parts = (['input', 'config'] as const).map((part) => ({
    part,
    values: node[part] ?? {},
    fields: fieldsOfPart(form[part], 'advanced'),
    problems: problems.filter(({ path }) => path[0] === part),
  }));
  const isSet = parts.flatMap(({ fields, values }) =>
    fields.map(({ path }) => values[String(path.at(-1))] !== undefined),
  );
  if (isSet.length === 0) return null;
  const keys = new Set(parts.flatMap(({ part, fields }) => fields.map(({ path }) => `${part}.${path.at(-1)}`)));
  return (
    <Section
      id="advanced"
      title={text.flow.advanced}
      note={advancedNote(isSet.filter(Boolean).length, isSet.length)}
      startsFolded
      isHeldOpen={problems.some(({ path: [part, key] }) => keys.has(`${part}.${key}`))}
    >
      <div className="form-fields">
        {parts.map(({ part, fields, ...rest }) =>
          fields.length === 0 ? null : (
            <FieldForm
              key={part}
              section={form[part]}
              part="advanced"
              mayBind={part === 'input'}
              onChange={changeIn(part)}
              {...rest}
            />
          ),
        )}
      </div>
    </Section>
  );
}

interface ConfigureSectionProps {
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
  const step = flow.doc?.steps?.steps.find(({ id }) => id === node.id);
  const atFields = useFieldProblems(flow, facts);
  const told = new Set(atFields.map(({ message }) => message));
  const others = diagnostics.filter(
    ({ nodeId, message, code }) => nodeId === node.id && !told.has(message) && !isModelWarning({ code }),
  );

  const codeMarks = useCodeMarks(flow, facts);
  const set = (at: ChangePath, value: JsonValue | undefined, mergeKey?: string): Promise<boolean> =>
    edits.change(path, { do: 'set-node', id: node.id, path: at, value }, mergeKey);
  const changeOf =
    (key: string): ChangeValue =>
    (value, mergeKey) =>
      set([key], value, mergeKey);
  const changeIn =
    (part: 'input' | 'config'): ChangeKey =>
    (key, value, mergeKey) =>
      set([part, key], value, mergeKey);

  const fields = ({ title, section, values }: ConfigureSectionProps, part: 'input' | 'config') => {
    const isEmpty =
      fieldsOfPart(section, 'common').length === 0 && section.extra === undefined && Object.keys(values).length === 0;
    return isEmpty ? null : (
      <Group title={title}>
        <FieldForm
          section={section}
          part="common"
          values={values}
          mayBind={part === 'input'}
          problems={atFields.filter((problem) => problem.path[0] === part)}
          onChange={changeIn(part)}
        />
        {part === 'input' ? <CaseAdders flow={flow} node={node} /> : null}
      </Group>
    );
  };
  return (
    <FlowFormScope flow={flow} nodeId={node.id} codeMarks={codeMarks}>
      <div className="inspector-body">
        {reason === null ? null : <p className="inspector-note">{reason}</p>}
        <p className="inspector-quiet">{spec?.description ?? text.configure.unknownType({ type: node.type })}</p>
        {step === undefined
          ? fields({ title: text.configure.input, section: form.input, values: node.input }, 'input')
          : null}
        {fields({ title: text.configure.settings, section: form.config, values: node.config ?? {} }, 'config')}
        {step === undefined
          ? null
          : fields({ title: text.configure.params, section: form.input, values: node.input }, 'input')}
        <NodeProblems path={path} problems={others} canFix={reason === null} />
        <AdvancedFields form={form} node={node} problems={atFields} changeIn={changeIn} />
        {step === undefined ? (
          <>
            <Section id="when" title={text.configure.when} note={conditionNote(node.when as JsonValue | undefined)}>
              <ConditionForm value={node.when as JsonValue | undefined} onChange={changeOf('when')} />
            </Section>
            <Section id="policy" title={text.configure.policy} note={policyNote(node.policy)} startsFolded>
              <PolicySection node={node} onChange={changeOf('policy')} />
            </Section>
          </>
        ) : step.retry !== undefined || step.type === 'agent' || step.type === 'tool' ? (
          <Section id="retry" title={text.configure.retry} note={retryNote(step.retry)}>
            <StepRetryForm
              retry={step.retry}
              changeOf={(key) => (value, mergeKey) => set(['policy', 'retry', key], value, mergeKey)}
            />
          </Section>
        ) : null}
        <Section
          id={step === undefined ? 'node' : 'step'}
          title={step === undefined ? text.configure.node : text.configure.step}
        >
          <NodeIdentity flow={flow} node={node} changeOf={changeOf} />
        </Section>
        <LastRun facts={facts} />
      </div>
    </FlowFormScope>
  );
}

/** Approximately the length of six lines. */
const previewLength = 400;

/** Returns the beginning of an output: its text if it has one, or else JSON. */
function previewOf(output: unknown): string {
  if (isLargeValue(output)) return output.preview;
  const content = typeof output === 'object' && output !== null ? (output as { text?: unknown }).text : output;
  const shown = isLargeValue(content)
    ? content.preview
    : typeof content === 'string'
      ? content
      : JSON.stringify(output, null, 1);
  return shown.length > previewLength ? `${shown.slice(0, previewLength)}…` : shown;
}

/** The output of the node in the shown run. Renders nothing without a run. */
function LastRun({ facts: { nodeState, state } }: { facts: NodeFacts }) {
  if (nodeState === undefined) return null;
  const { output, error } = nodeState;
  const durationMs = nodeDurationMs(nodeState);
  const note = [visualStateLabels[state], ...(durationMs === undefined ? [] : [durationText(durationMs)])].join(', ');
  const preview = output === undefined ? error?.message : previewOf(output);
  return (
    <Section id="last-run" title={text.configure.lastRun} note={note}>
      {preview === undefined || preview === '' ? (
        <p className="inspector-quiet">{text.configure.noOutput}</p>
      ) : (
        <div className="inspector-last" data-selectable>
          {preview}
        </div>
      )}
    </Section>
  );
}

interface NodeProblemsProps {
  readonly path: string;
  readonly problems: readonly Diagnostic[];
  /** Whether the assistant can be asked to fix them. */
  readonly canFix: boolean;
}

/** Problems that do not belong to a field, each with a link to its line. */
function NodeProblems({ path, problems, canFix }: NodeProblemsProps) {
  const { selection, assistant } = useStores();
  if (problems.length === 0) return null;
  return (
    <Group title={text.configure.problems} note={numberText(problems.length)}>
      {problems.map(({ code, message, range: { line, column }, severity }) => (
        <p key={`${code} ${line}:${column} ${message}`} className="node-problem" data-selectable>
          {severity === 'error' ? (
            <CircleX role="img" aria-label={text.configure.error} className="node-error" size={14} />
          ) : (
            <TriangleAlert role="img" aria-label={text.configure[severity]} size={14} />
          )}
          <span>
            {message}{' '}
            <button
              type="button"
              className="inspector-line-link"
              aria-label={text.configure.goToLine({ line })}
              onClick={() => selection.getState().revealText(path, { line, column })}
            >
              {text.configure.line({ line })}
            </button>{' '}
            {canFix ? (
              <button
                type="button"
                className="inspector-line-link"
                onClick={() => assistant.getState().suggestFix(path, { need: 'problem', line, code })}
              >
                {text.configure.fix}
              </button>
            ) : null}
          </span>
        </p>
      ))}
    </Group>
  );
}
