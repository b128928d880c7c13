/**
 * What mends an error, as a button beside it.
 */
import { causesOf, type ErrorRecord } from '../../../engine/isomorphic.ts';
import { Button } from '../../ui/button.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import { findCommand, runCommand } from '../commands/commands.ts';

/** The command that leads to where an error is mended; undefined when nobody but the agent's author can. */
function mendingCommand(error: ErrorRecord): { readonly id: string; readonly text: string } | undefined {
  for (const { code, details } of causesOf(error)) {
    if (code === 'model.missing-key') return { id: 'settings.models', text: 'Open model settings' };
    if (code === 'effect.denied' && mayTrustHelp(details)) return { id: 'settings.trust', text: 'Open trust settings' };
  }
  return undefined;
}

/** Runs of earlier versions do not say. */
function mayTrustHelp(details: unknown): boolean {
  const says = typeof details === 'object' && details !== null && 'trustHelps' in details;
  return !says || details.trustHelps !== false;
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
