/**
 * The form that changes the output of a node that has completed: in a paused run, or in a rerun.
 */
import { Check, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { formJsonSchema, type JsonValue } from '../../../engine/isomorphic.ts';
import { isOver, isPaused, type LiveRun } from '../../stores/runs/live/live-runs.ts';
import { canBePinned, outputProblems } from '../../stores/runs/pins.ts';
import type { RerunTarget } from '../../stores/runs/plan-actions.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { type SettledFlow, useShownRunFacts } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import type { NodeFacts } from './node-facts.ts';
import { text } from './text.ts';
import { useWholeValue, ValueEditor } from './value-editor.tsx';

const words = text.changed;

/** Returns where the output of a node can be changed now. Undefined if nowhere. */
function changeableIn(
  { state, caller, moment }: LiveRun,
  { nodeState }: NodeFacts,
  canRerun: boolean,
): 'run' | 'rerun' | undefined {
  const hasOutput = nodeState?.status === 'completed' || nodeState?.status === 'reused';
  if (!hasOutput || caller !== null || moment !== null) return undefined;
  if (isPaused(state)) return 'run';
  return isOver(state) && canRerun ? 'rerun' : undefined;
}

interface ChangeOutputProps {
  readonly flow: SettledFlow;
  readonly facts: NodeFacts;
  /** Shows what a rerun would do. Undefined if no run can be repeated here. */
  readonly onRerun: ((target: RerunTarget) => void) | undefined;
}

/** Offers to change the output of a node. */
export function ChangeOutput({ flow, facts, onRerun }: ChangeOutputProps) {
  const { runs, workspace } = useStores();
  const [isOpen, setIsOpen] = useState(false);
  const [refused, setRefused] = useState<JsonValue>();
  const run = useShownRunFacts(flow.path);
  const isRemote = useStore(workspace, ({ remote }) => remote !== null);
  const output = useWholeValue(isOpen ? facts.nodeState?.output : undefined);
  const { node, spec, nodeState } = facts;
  const mayRerun = onRerun !== undefined && canBePinned(flow, node.id);
  const where = run === undefined || isRemote ? undefined : changeableIn(run, facts, mayRerun);
  if (run === undefined || where === undefined || nodeState === undefined) return null;
  if (!isOpen || output === undefined) {
    return (
      <div className="held-actions">
        <Button size="small" onClick={() => setIsOpen(true)}>
          {words.change}
        </Button>
      </div>
    );
  }
  const close = (): void => {
    setIsOpen(false);
    setRefused(undefined);
  };
  const rerun = (value: JsonValue): void => {
    close();
    onRerun?.({ path: flow.path, runId: run.runId, given: { [node.id]: value } });
  };
  const submit = async (value: JsonValue): Promise<string | null> => {
    if (where === 'rerun') {
      rerun(value);
      return null;
    }
    const refusal = await runs.changeOutput(run.runId, nodeState.nodeId, value);
    if (refusal === null) close();
    else if (mayRerun) setRefused(value);
    return refusal;
  };
  return (
    <>
      <ValueEditor
        label={words.label({ name: node.name ?? node.id })}
        schema={spec === undefined ? {} : formJsonSchema(spec.outputSchema)}
        value={output}
        problemsOf={(value) => outputProblems(flow, node.id, value)}
        submitText={where === 'run' ? words.apply : words.rerun}
        submitIcon={where === 'run' ? <Check aria-hidden size={13} /> : <RotateCw aria-hidden size={13} />}
        onSubmit={submit}
        onCancel={close}
      />
      {refused === undefined ? null : (
        <div className="held-actions">
          <Button size="small" onClick={() => rerun(refused)}>
            <RotateCw aria-hidden size={13} />
            {words.rerun}
          </Button>
        </div>
      )}
    </>
  );
}
