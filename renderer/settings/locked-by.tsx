/**
 * Who has set what cannot be changed here.
 */
import { Lock } from 'lucide-react';

/** `team` names the team and its file; nothing is shown without. */
export function LockedBy({ team }: { readonly team: string | null | undefined }) {
  if (team === null || team === undefined) return null;
  return (
    <p className="settings-locked">
      <Lock aria-hidden size={12} />
      Set by {team}
    </p>
  );
}
