/**
 * One node: what it is, what went in, what came out, how its attempts went, and what the file says of it.
 */
import { type ReactNode, useState } from 'react';
import { taskIdOf } from '../../engine/isomorphic.ts';
import type { SettledFlow } from '../stores/use-flow.ts';
import { TabSet } from '../ui/tab-set.tsx';
import { AttemptsTab } from './attempts-tab.tsx';
import { CalledRuns } from './called-runs.tsx';
import { ConfigureTab } from './configure-tab.tsx';
import { InputTab } from './input-tab.tsx';
import { ItemPicker } from './item-picker.tsx';
import type { NodeFacts } from './node-facts.ts';
import { NodeHeader } from './node-header.tsx';
import { NodeWaiting } from './node-waiting.tsx';
import { OutputTab } from './run-tabs.tsx';
import { ReusedFrom } from './reused-from.tsx';
import { YamlTab } from './yaml-tab.tsx';

type InspectorTab = 'configure' | 'input' | 'output' | 'attempts' | 'yaml';

function firstTab({ runStatus }: NodeFacts): InspectorTab {
  return runStatus === undefined ? 'configure' : 'output';
}

interface NodeInspectorProps {
  readonly flow: SettledFlow;
  /** Where the node is looked at in the run. */
  readonly place: string;
  readonly facts: NodeFacts;
  readonly actions: ReactNode;
}

export function NodeInspector({ flow, place, facts, actions }: NodeInspectorProps) {
  const { path } = flow;
  const [chosen, setChosen] = useState<InspectorTab | null>(null);
  const { failedAttempts, nodeState } = facts;
  const attempts = nodeState === undefined || nodeState.attempts < 2 ? undefined : nodeState.attempts;
  return (
    <>
      <NodeHeader flow={flow} facts={facts} actions={actions} />
      {nodeState === undefined ? null : <ItemPicker path={path} place={place} />}
      <NodeWaiting path={path} facts={facts} />
      <ReusedFrom path={path} facts={facts} />
      <CalledRuns path={path} taskId={taskIdOf(place)} />
      <TabSet<InspectorTab>
        label="About the node"
        className="inspector-tabs"
        value={chosen ?? firstTab(facts)}
        onChange={setChosen}
        tabs={[
          { value: 'configure', text: 'Configure', content: <ConfigureTab flow={flow} facts={facts} /> },
          { value: 'input', text: 'Input', content: <InputTab facts={facts} /> },
          { value: 'output', text: 'Output', content: <OutputTab facts={facts} /> },
          {
            value: 'attempts',
            text: 'Attempts',
            count: attempts,
            tone: nodeState?.error !== undefined || failedAttempts.length > 0 ? 'error' : undefined,
            content: <AttemptsTab facts={facts} />,
          },
          { value: 'yaml', text: 'YAML', content: <YamlTab path={flow.path} nodeId={facts.node.id} /> },
        ]}
      />
    </>
  );
}
