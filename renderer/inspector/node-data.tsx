/**
 * The data of a node: its input, its form and its output, as tabs or side by side.
 */
import { Columns3, PanelRightClose } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ErrorRecord } from '../../engine/isomorphic.ts';
import type { RerunTarget } from '../stores/runs/plan-actions.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import type { NodeTab } from '../stores/window/panes.ts';
import { IconButton } from '../ui/button.tsx';
import { ConfigureTab } from './configure-tab.tsx';
import { ChangeOutput } from './run/change-output.tsx';
import { HeldInput, HeldOutput } from './run/held-node.tsx';
import type { NodeFacts } from './run/node-facts.ts';
import { OutputChange } from './run/output-change.tsx';
import { GivenOutput } from './run/person-changes.tsx';
import { InputTab, OutputTab } from './run/run-tabs.tsx';
import { text } from './text.ts';
import { LoopListsOfFlow } from './values/loop-lists-of-flow.tsx';
import './node-columns.css';

interface NodeDataProps {
  readonly flow: SettledFlow;
  /** Path of the node in the run. */
  readonly place: string;
  readonly facts: NodeFacts;
  readonly errorHelp: ((error: ErrorRecord) => ReactNode) | undefined;
  readonly aroundMoment: ReactNode;
  readonly onRerun: ((target: RerunTarget) => void) | undefined;
}

/** In the wide inspector, one tab stands for the three. */
export function shownDataTab(tab: NodeTab, isWide: boolean): NodeTab {
  return isWide && (tab === 'input' || tab === 'output') ? 'configure' : tab;
}

function separateTabs({ flow, place, ...ofOutput }: NodeDataProps) {
  const { facts } = ofOutput;
  const { path } = flow;
  const { held } = facts;
  return [
    {
      value: 'configure' as const,
      text: text.node.configure,
      content: <ConfigureTab flow={flow} facts={facts} />,
    },
    {
      value: 'input' as const,
      text: text.node.input,
      content:
        held === undefined ? (
          <LoopListsOfFlow flow={flow} inputOf={facts.node.id}>
            <InputTab facts={facts} of={nodeOf(path, facts)} />
          </LoopListsOfFlow>
        ) : (
          <HeldInput {...{ flow, facts, held, place }} />
        ),
    },
    {
      value: 'output' as const,
      text: text.node.output,
      content:
        held === undefined ? (
          <LoopListsOfFlow flow={flow}>
            <NodeOutput flow={flow} {...ofOutput} />
          </LoopListsOfFlow>
        ) : (
          <HeldOutput {...{ flow, facts, held, place }} />
        ),
    },
  ];
}

/** Returns the tabs of the form, the input and the output, or one in which they are side by side. */
export function dataTabs(data: NodeDataProps, isWide: boolean) {
  const tabs = separateTabs(data);
  if (!isWide) return tabs;
  const [form, input, output] = tabs;
  const together = {
    value: 'configure' as const,
    text: text.node.data,
    content: (
      <div className="node-columns">
        {[input, form, output].map((part) => (
          <section key={part?.value} aria-label={part?.text}>
            <h3 className="node-column-title">{part?.text}</h3>
            {part?.content}
          </section>
        ))}
      </div>
    ),
  };
  return [together];
}

/** Switches between separate tabs and the three side by side. */
export function WidthButton({ isWide }: { readonly isWide: boolean }) {
  const { panes } = useStores();
  return (
    <IconButton label={isWide ? text.node.narrow : text.node.widen} onClick={panes.getState().toggleInspectorWidth}>
      {isWide ? <PanelRightClose aria-hidden size={14} /> : <Columns3 aria-hidden size={14} />}
    </IconButton>
  );
}

/** Returns a name for the node of a file. It is the same for all items of a loop. */
function nodeOf(path: string, { node }: NodeFacts): string {
  return `${path} ${node.id}`;
}

/** The node's output, or its error with help. */
function NodeOutput({ flow, facts, errorHelp, aroundMoment, onRerun }: Omit<NodeDataProps, 'place'>) {
  const { path } = flow;
  const { nodeState, node, openCalls } = facts;
  const speeds = openCalls.flatMap(({ rate }) => rate?.tokensPerSecond ?? []);
  const error = nodeState?.status === 'failed' ? nodeState.error : undefined;
  return (
    <OutputTab
      facts={facts}
      of={nodeOf(path, facts)}
      binding={node.id}
      footer={aroundMoment}
      speed={speeds.length === 0 ? undefined : speeds.reduce((total, speed) => total + speed, 0)}
      errorHelp={error === undefined ? null : errorHelp?.(error)}
      change={
        <>
          <GivenOutput nodeState={nodeState} />
          <OutputChange path={path} nodeId={node.id} />
          <ChangeOutput key={nodeState?.nodeId} flow={flow} facts={facts} onRerun={onRerun} />
        </>
      }
    />
  );
}
