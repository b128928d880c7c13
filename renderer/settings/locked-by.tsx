/**
 * Shows which team has locked a setting that cannot be changed here.
 */
import { Lock } from 'lucide-react';
import { text } from './text.ts';

/** `team` names the team and its file. Renders nothing if it is not set. */
export function LockedBy({ team }: { readonly team: string | null | undefined }) {
  if (team === null || team === undefined) return null;
  return (
    <p className="settings-locked">
      <Lock aria-hidden size={12} />
      {text.dialog.lockedBy({ team })}
    </p>
  );
}
