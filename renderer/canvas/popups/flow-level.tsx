/**
 * Shows the autonomy level of the flow in a corner of the canvas, if the file declares one.
 */
import { ShieldCheck } from 'lucide-react';
import { type AutonomyLevel, autonomyLevels, type FlowDoc } from '../../../engine/isomorphic.ts';
import { autonomyLevelLabels } from '../../stores/runs/what-if.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import './flow-level.css';

const aboutLevels: Readonly<Record<AutonomyLevel, string>> = {
  suggest_only: 'What would act is not run. It is noted as a suggestion.',
  semi_auto: 'What acts waits until a person has agreed.',
  full_auto: 'What acts is run without asking, where the policies allow that.',
};

interface FlowLevelProps {
  readonly path: string;
  readonly doc: FlowDoc;
}

export function FlowLevel({ path, doc }: FlowLevelProps) {
  const { selection, panes } = useStores();
  const level = autonomyLevels.find((known) => known === doc.flow.policy?.autonomy);
  if (level === undefined) return null;
  const name = autonomyLevelLabels[level];
  return (
    <Tooltip text={`${aboutLevels[level]} Press to change it.`}>
      <button
        type="button"
        className="flow-level nopan nodrag"
        data-level={level}
        aria-label={`Autonomy: ${name}. Show the settings of the flow`}
        onClick={() => {
          selection.getState().selectNode(path, null);
          panes.getState().showForm();
        }}
      >
        <ShieldCheck aria-hidden size={13} />
        {name}
      </button>
    </Tooltip>
  );
}
