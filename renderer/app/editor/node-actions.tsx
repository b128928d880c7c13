import { Bot, StepForward } from 'lucide-react';
import { CommandButton } from '../commands/command-button.tsx';
import { useCommand } from '../commands/command-context.tsx';
import './node-actions.css';

/** What can be done with the selected node; nothing while there is nothing to do. */
export function NodeActions() {
  const fromHere = useCommand('run.fromHere');
  const openAgent = useCommand('agent.open');
  if (!fromHere.isAvailable && !openAgent.isAvailable) return null;
  return (
    <div className="node-actions">
      {openAgent.isAvailable ? (
        <CommandButton command="agent.open" text="Open agent" icon={<Bot aria-hidden size={14} />} />
      ) : null}
      {fromHere.isAvailable ? (
        <CommandButton command="run.fromHere" text="Run again from here" icon={<StepForward aria-hidden size={14} />} />
      ) : null}
    </div>
  );
}
