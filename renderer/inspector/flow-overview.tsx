/**
 * The inspector of the whole flow, shown if no node is selected.
 */
import { Workflow } from 'lucide-react';
import { useStore } from 'zustand';
import { autonomyLevels, type ChangePath, type FlowDoc, type JsonValue } from '../../engine/isomorphic.ts';
import { isStepFlow } from '../stores/flow/step-lane.ts';
import { countNodes } from '../stores/runs/live/count-nodes.ts';
import { canBePinned, noPins } from '../stores/runs/pins.ts';
import { useReadValue, useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useShownRunPart } from '../stores/use-flow.ts';
import { ValueView } from '../ui/value-view.tsx';
import { AheadField } from './fields/ahead-field.tsx';
import { plainField, unknownField } from './fields/form-fields.ts';
import type { ChangeValue } from './fields/form-scope.tsx';
import { Group, Rows, Section } from './fields/setting-rows.tsx';
import { FlowFormScope, readOnlyReason } from './flow-form-scope.tsx';
import { FlowInputs } from './flow-inputs.tsx';
import { text } from './text.ts';

const nameField = plainField('name', 'text', { label: text.flow.name, isRequired: true });
const aboutField = plainField('description', 'long-text', { label: text.flow.description });
const givenField = plainField('outputs', 'map', {
  label: text.flow.outputs,
  description: text.flow.outputsNote,
  member: unknownField([], true),
});
const parallelField = plainField('maxParallel', 'number', {
  label: text.flow.parallel,
  description: text.flow.parallelNote,
  default: 1,
  limits: { min: 1, isInteger: true },
});
const outputField = plainField('maxOutputBytes', 'number', {
  label: text.flow.maxOutput,
  description: text.flow.maxOutputNote,
  default: 64 * 1024 * 1024,
  limits: { min: 1, max: 256 * 1024 * 1024, isInteger: true },
});
const autonomyField = plainField('autonomy', 'enum', {
  label: text.flow.autonomy,
  description: text.flow.autonomyNote,
  options: autonomyLevels,
});
const levelField = plainField('autonomy', 'enum', {
  label: text.flow.level,
  description: text.flow.levelNote,
  options: autonomyLevels,
  default: 'semi_auto',
});
const failFastField = plainField('failFast', 'boolean', {
  label: text.flow.failFast,
  default: true,
});

/** The flow's settings: name, description, inputs, outputs, and how it runs. */
function FlowForm({ flow, header }: { flow: SettledFlow; header: FlowDoc['flow'] }) {
  const { edits } = useStores();
  const reason = readOnlyReason(flow);
  const isSteps = isStepFlow(flow.doc);
  const changeAt =
    (...path: ChangePath): ChangeValue =>
    (value, mergeKey) =>
      edits.change(flow.path, { do: 'set-flow', path, value }, mergeKey);
  return (
    <FlowFormScope flow={flow} nodeId={null}>
      {reason === null ? null : <p className="inspector-note">{reason}</p>}
      <Group title={text.flow.title}>
        <div className="form-fields">
          <AheadField field={nameField} value={header.name} onChange={changeAt('name')} />
          <AheadField field={aboutField} value={header.description} onChange={changeAt('description')} />
          {isSteps ? (
            <AheadField field={levelField} value={header.policy?.autonomy} onChange={changeAt('policy', 'autonomy')} />
          ) : (
            <>
              <FlowInputs path={flow.path} header={header} doc={flow.doc} />
              <AheadField field={givenField} value={header.outputs} onChange={changeAt('outputs')} />
            </>
          )}
        </div>
      </Group>
      {isSteps ? null : <FlowPolicy policy={header.policy} changeAt={changeAt} />}
    </FlowFormScope>
  );
}

interface FlowPolicyProps {
  readonly policy: FlowDoc['flow']['policy'];
  readonly changeAt: (...path: ChangePath) => ChangeValue;
}

/** How nodes of the flow run, and what they may do. */
function FlowPolicy({ policy, changeAt }: FlowPolicyProps) {
  const limits = [policy?.maxParallel, policy?.maxOutputBytes];
  const changed = limits.filter((limit) => limit !== undefined).length;
  return (
    <>
      <Group title={text.flow.policy}>
        <div className="form-fields">
          <AheadField field={autonomyField} value={policy?.autonomy} onChange={changeAt('policy', 'autonomy')} />
          <AheadField field={failFastField} value={policy?.failFast} onChange={changeAt('policy', 'failFast')} />
        </div>
      </Group>
      <Section
        id="advanced"
        title={text.flow.advanced}
        startsFolded
        note={
          changed === 0
            ? text.flow.allDefault({ count: limits.length })
            : text.flow.changedCount({ count: changed, total: limits.length })
        }
      >
        <div className="form-fields">
          <AheadField field={parallelField} value={policy?.maxParallel} onChange={changeAt('policy', 'maxParallel')} />
          <AheadField
            field={outputField}
            value={policy?.maxOutputBytes}
            onChange={changeAt('policy', 'maxOutputBytes')}
          />
        </div>
      </Section>
    </>
  );
}

function hasContent(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== null && !(typeof value === 'object' && Object.keys(value).length === 0);
}

interface RunValuesProps {
  readonly inputs: JsonValue;
  readonly output: JsonValue | undefined;
}

function RunValues({ inputs, output }: RunValuesProps) {
  const readLarge = useReadValue();
  return (
    <>
      {hasContent(inputs) ? (
        <Group title={text.flow.runInputs}>
          <ValueView label={text.flow.inputs} value={inputs} readLarge={readLarge} />
        </Group>
      ) : null}
      {hasContent(output) ? (
        <Group title={text.flow.runOutputs}>
          <ValueView label={text.flow.outputs} value={output} readLarge={readLarge} />
        </Group>
      ) : null}
    </>
  );
}

/** All pinned outputs of the flow, including those that no run can use. */
function PinnedList({ flow }: { flow: SettledFlow }) {
  const { pins, selection } = useStores();
  const { path, doc } = flow;
  const pinned = useStore(pins, ({ files }) => files.get(path)) ?? noPins;
  const ids = Object.keys(pinned);
  if (doc === null || ids.length === 0) return null;
  return (
    <Group title={text.flow.pinnedOutputs}>
      <ul className="inspector-pins">
        {ids.map((id) => (
          <li key={id}>
            {canBePinned(flow, id) ? (
              <button
                type="button"
                className="inspector-line-link"
                onClick={() => selection.getState().selectNode(path, id)}
              >
                {doc.nodes.find((node) => node.id === id)?.name ?? id}
              </button>
            ) : (
              <span>
                {doc.nodes.some((node) => node.id === id)
                  ? text.flow.loopPin({ name: id })
                  : text.flow.removedPin({ name: id })}
              </span>
            )}
            <button type="button" className="inspector-line-link" onClick={() => pins.getState().unpin(path, id)}>
              {text.flow.unpin}
            </button>
          </li>
        ))}
      </ul>
    </Group>
  );
}

export function FlowOverview({ flow }: { flow: SettledFlow }) {
  const { doc, path } = flow;
  const inputs = useShownRunPart(path, ({ state }) => state.inputs);
  const output = useShownRunPart(path, ({ state }) => state.output);
  const header = doc?.flow;
  return (
    <>
      <header className="inspector-top">
        <div className="inspector-title">
          <Workflow aria-hidden size={18} />
          <h2 className="inspector-name">{header?.name ?? path}</h2>
        </div>
        {header === undefined ? null : <div className="inspector-crumb">{path}</div>}
      </header>
      <div className="inspector-scroll">
        <div className="inspector-body">
          <p className="inspector-note">
            {header === undefined ? text.flow.invalid : isStepFlow(doc) ? text.flow.selectStep : text.flow.selectNode}
          </p>
          {doc === null ? null : (
            <Rows
              rows={[
                [
                  text.flow.size,
                  isStepFlow(doc)
                    ? text.flow.steps({ count: doc.nodes.length })
                    : [text.flow.nodes({ count: countNodes(flow) }), text.flow.edges({ count: doc.edges.length })].join(
                        ', ',
                      ),
                ],
              ]}
            />
          )}
          <PinnedList flow={flow} />
          {inputs === undefined ? null : <RunValues inputs={inputs} output={output} />}
          {header === undefined ? null : <FlowForm flow={flow} header={header} />}
        </div>
      </div>
    </>
  );
}
