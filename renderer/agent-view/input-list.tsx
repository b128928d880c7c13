/**
 * The inputs of an agent's run, one row each, in the order they began.
 */
import type { NodeState, RunState } from '../../engine/isomorphic.ts';
import { inputsOf, nameOfInput, tokensOf } from '../stores/agents/agent-runs.ts';
import type { LiveRun } from '../stores/runs/live-runs.ts';
import { shownNodeState } from '../stores/runs/shown-run.ts';
import { useStores } from '../stores/stores-context.tsx';
import { countText, durationText } from '../ui/quantity-text.ts';
import { rovingItem } from '../ui/roving-focus.ts';
import { StateIcon } from '../ui/state-icon.tsx';
import { useRowHeight } from '../ui/use-row-window.ts';
import { VirtualRows } from '../ui/virtual-rows.tsx';
import './input-list.css';

/** What stands beside an input: its part while it works, else what it took. */
function detailOf(input: NodeState): string {
  if (input.status === 'running' && input.stage !== undefined) return input.stage;
  const tokens = tokensOf(input);
  const parts = [
    ...(tokens === 0 ? [] : [`${countText(tokens)} tokens`]),
    ...(input.durationMs === undefined ? [] : [durationText(input.durationMs)]),
  ];
  return parts.join(' · ');
}

interface InputListProps {
  /** The root; `state` is it or a run below it. */
  readonly run: LiveRun;
  readonly state: RunState;
  /** Task id of the input that is looked at. */
  readonly selected: string | undefined;
}

export function InputList({ run, state, selected }: InputListProps) {
  const { agentViews } = useStores();
  const rowHeight = useRowHeight('--row');
  const inputs = inputsOf(state);
  const { runId } = state;
  const inView = state === run.state ? run : { ...run, state };
  return (
    <VirtualRows
      label="Inputs"
      count={inputs.length}
      rowHeight={rowHeight}
      renderRow={(index, isTabStop) => {
        const input = inputs[index];
        if (input === undefined || runId === null) return null;
        const name = nameOfInput(input);
        return (
          <button
            type="button"
            className="input-row"
            aria-current={input.nodeId === selected}
            title={name}
            onClick={() => agentViews.getState().selectInput(runId, input.nodeId)}
            {...rovingItem(isTabStop)}
          >
            <StateIcon state={shownNodeState(inView, input, false)} size={13} />
            <span className="input-row-name">{name}</span>
            <span className="input-row-detail">{detailOf(input)}</span>
          </button>
        );
      }}
    />
  );
}
