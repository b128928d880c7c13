/**
 * A button beside an error that leads to the settings where it can be fixed.
 */
import { useState } from 'react';
import { causesOf, type ErrorRecord } from '../../../engine/isomorphic.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { useCommandContext } from '../commands/command-context.tsx';
import { findCommand, runCommand } from '../commands/commands.ts';
import { text } from './text.ts';

/** Returns the command that leads to the fix for an error. Undefined if only the agent's author can fix it. */
function mendingCommand(error: ErrorRecord): { readonly id: string; readonly title: string } | undefined {
  for (const { code, details } of causesOf(error)) {
    if (code === 'secret.missing') return { id: 'settings.secrets', title: text.errorHelp.enterSecrets };
    if (code === 'model.missing-key') return { id: 'settings.models', title: text.errorHelp.modelSettings };
    if (code === 'effect.denied' && mayTrustHelp(details))
      return { id: 'settings.trust', title: text.errorHelp.trustSettings };
  }
  return undefined;
}

/** Undefined in runs recorded by earlier versions. */
function mayTrustHelp(details: unknown): boolean {
  const says = typeof details === 'object' && details !== null && 'trustHelps' in details;
  return !says || details.trustHelps !== false;
}

/** The secret that was not sent and the host. Undefined for other errors. */
function heldSecret(error: ErrorRecord): { readonly name: string; readonly host: string } | undefined {
  const held = causesOf(error).find(({ code }) => code === 'secret.host-not-allowed');
  return held?.details as ReturnType<typeof heldSecret>;
}

/** Main asks the user before it allows the host. */
function AllowSecretHost({ name, host }: { readonly name: string; readonly host: string }) {
  const { secrets } = useStores();
  const [answer, setAnswer] = useState<string | null>(null);
  const allow = async (): Promise<void> => {
    const problem = await secrets.getState().allowHost(name, host);
    setAnswer(problem ?? text.errorHelp.hostAllowed({ name, host }));
  };
  return (
    <>
      <Button size="small" onClick={() => void allow()}>
        {text.errorHelp.allowHost({ host })}
      </Button>
      {answer === null ? null : <p role="status">{answer}</p>}
    </>
  );
}

export function ErrorHelp({ error }: { error: ErrorRecord }) {
  const context = useCommandContext();
  const held = heldSecret(error);
  const mending = mendingCommand(error);
  const command = mending === undefined ? undefined : findCommand(mending.id);
  if (held !== undefined) return <AllowSecretHost {...held} />;
  if (command === undefined) return null;
  return (
    <Button size="small" onClick={() => runCommand(command, context)}>
      {mending?.title}
    </Button>
  );
}
