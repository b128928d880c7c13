/**
 * What mends an error, as a button beside it.
 */
import type { ErrorRecord } from '../../engine/isomorphic.ts';
import { Button } from '../ui/button.tsx';
import { useCommandContext } from './command-context.tsx';
import { findCommand, runCommand } from './commands.ts';

/** The command that leads to where an error is mended; undefined when nobody but the agent's author can. */
function mendingCommand({ code, message }: ErrorRecord): { readonly id: string; readonly text: string } | undefined {
  if (code === 'model.missing-key' || message.includes('API KEY missing')) {
    return { id: 'settings.models', text: 'Open model settings' };
  }
  // A script that is refused something fails by itself: of the refusal only the words are left.
  if (code === 'effect.denied' || message.includes('trust this workspace in Settings')) {
    return { id: 'settings.trust', text: 'Open trust settings' };
  }
  return undefined;
}

export function ErrorHelp({ error }: { error: ErrorRecord }) {
  const context = useCommandContext();
  const mending = mendingCommand(error);
  const command = mending === undefined ? undefined : findCommand(mending.id);
  if (command === undefined) return null;
  return (
    <Button size="small" onClick={() => runCommand(command, context)}>
      {mending?.text}
    </Button>
  );
}
