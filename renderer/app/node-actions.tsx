import { StepForward } from 'lucide-react';
import { CommandButton } from './command-button.tsx';
import { useCommand } from './command-context.tsx';

/** What can be done with the selected node; nothing while there is nothing to do. */
export function NodeActions() {
  const { isAvailable } = useCommand('run.fromHere');
  if (!isAvailable) return null;
  return (
    <CommandButton command="run.fromHere" text="Run again from here" icon={<StepForward aria-hidden size={14} />} />
  );
}
