/**
 * The inspector of the whole flow, shown if no node is selected: what the flow does, its inputs and its settings.
 */
import { Workflow } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useStore } from 'zustand';
import type { ChangePath, FlowDoc, JsonValue } from '../../engine/isomorphic.ts';
import { isStepFlow } from '../stores/flow/step-lane.ts';
import { countNodes } from '../stores/runs/live/count-nodes.ts';
import { canBePinned, noPins } from '../stores/runs/pins.ts';
import { useReadValue, useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useShownRunPart } from '../stores/use-flow.ts';
import { TabSet } from '../ui/tab-set.tsx';
import type { ChangeValue } from './fields/form-scope.tsx';
import { Group } from './fields/setting-rows.tsx';
import { FlowFormScope, readOnlyReason } from './flow-form-scope.tsx';
import { FlowHint } from './flow-hint.tsx';
import { FlowInputs } from './flow-inputs.tsx';
import { FlowNodes } from './flow-nodes.tsx';
import { FlowSettings } from './flow-settings.tsx';
import { RunMarks } from './run/run-marks.tsx';
import { text } from './text.ts';
import { ValueView } from './values/value-view.tsx';

/** Loaded with the first use, because most flows are never published. */
const PublishTab = lazy(() => import('./publish/publish-tab.tsx').then((loaded) => ({ default: loaded.PublishTab })));

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
          <ValueView label={text.flow.inputs} value={inputs} readLarge={readLarge} binding="flow.input" />
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

interface FlowFormProps {
  readonly flow: SettledFlow;
  readonly header: FlowDoc['flow'];
}

/** The flow's inputs, nodes and settings. */
function FlowForm({ flow, header }: FlowFormProps) {
  const { edits } = useStores();
  const { path, doc } = flow;
  const isSteps = isStepFlow(doc);
  const changeAt =
    (...at: ChangePath): ChangeValue =>
    (value, mergeKey) =>
      edits.change(path, { do: 'set-flow', path: at, value }, mergeKey);
  return (
    <FlowFormScope flow={flow} nodeId={null}>
      {isSteps ? null : <FlowInputs key={path} path={path} header={header} doc={doc} />}
      <FlowNodes flow={flow} />
      <FlowSettings header={header} isSteps={isSteps} changeAt={changeAt} />
    </FlowFormScope>
  );
}

function sizeOf(flow: SettledFlow, doc: FlowDoc): string {
  if (isStepFlow(doc)) return text.flow.steps({ count: doc.nodes.length });
  return [text.flow.nodes({ count: countNodes(flow) }), text.flow.edges({ count: doc.edges.length })].join(', ');
}

interface FlowOverviewProps {
  readonly flow: SettledFlow;
  /** Actions that continue from here. */
  readonly nextSteps?: ReactNode;
}

function publishTab(flow: SettledFlow) {
  const content = (
    <Suspense fallback={null}>
      <PublishTab flow={flow} />
    </Suspense>
  );
  return { value: 'publish' as const, text: text.flow.publish, content };
}

export function FlowOverview({ flow, nextSteps }: FlowOverviewProps) {
  const { doc, path } = flow;
  const inputs = useShownRunPart(path, ({ state }) => state.inputs);
  const output = useShownRunPart(path, ({ state }) => state.output);
  const header = doc?.flow;
  const reason = header === undefined ? text.flow.invalid : readOnlyReason(flow);
  const [tab, setTab] = useState<'flow' | 'publish'>('flow');
  // The flows of a remote history have no files here.
  const isLocal = useStore(useStores().workspace, ({ remote }) => remote === null);
  return (
    <>
      <header className="inspector-top">
        <div className="inspector-title">
          <Workflow aria-hidden size={18} />
          <h2 className="inspector-name">{header?.name ?? path}</h2>
        </div>
        {doc === null ? null : (
          <div className="inspector-crumb">
            <span>{path}</span>
            <span>{sizeOf(flow, doc)}</span>
          </div>
        )}
      </header>
      <TabSet<'flow' | 'publish'>
        label={text.flow.tabs}
        className="inspector-tabs"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'flow',
            text: text.flow.settings,
            content: (
              <div className="inspector-body">
                {reason === null ? null : <p className="inspector-note">{reason}</p>}
                {header?.description === undefined ? null : <p className="inspector-about">{header.description}</p>}
                <FlowHint key={path} flow={flow} />
                <PinnedList flow={flow} />
                {inputs === undefined ? null : <RunValues inputs={inputs} output={output} />}
                <RunMarks path={path} />
                {header === undefined ? null : <FlowForm flow={flow} header={header} />}
                {nextSteps}
              </div>
            ),
          },
          ...(isLocal ? [publishTab(flow)] : []),
        ]}
      />
    </>
  );
}
