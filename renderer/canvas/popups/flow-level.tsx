/**
 * Shows the autonomy level of the flow in a corner of the canvas, if the file declares one.
 */
import { ShieldCheck } from 'lucide-react';
import { autonomyLevels, type FlowDoc } from '../../../engine/isomorphic.ts';
import { autonomyLevelLabels } from '../../stores/runs/what-if.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { text } from '../text.ts';
import './flow-level.css';

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
    <Tooltip text={text.autonomy[level]}>
      <button
        type="button"
        className="flow-level nopan nodrag"
        data-level={level}
        aria-label={text.autonomy.label({ level: name })}
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
