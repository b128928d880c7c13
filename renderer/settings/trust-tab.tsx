/**
 * Whether this workspace is trusted, what that means, and the switch. Main asks before it is switched on.
 */
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import { Switch } from '../ui/switch.tsx';

export function TrustTab({ isTrusted }: { isTrusted: boolean }) {
  const { preferences, workspace } = useStores();
  const folder = useStore(workspace, (state) => state.folder);
  const [problem, setProblem] = useState<string | null>(null);
  const set = async (trusts: boolean): Promise<void> => {
    setProblem(await preferences.getState().setTrust(trusts));
  };
  const Icon = isTrusted ? ShieldCheck : ShieldAlert;
  return (
    <div className="settings-part">
      <p className="trust-state">
        <Icon aria-hidden size={16} />
        <b>{isTrusted ? 'You trust this workspace.' : 'You do not trust this workspace.'}</b>
      </p>
      <code className="settings-file">{folder}</code>
      <p>
        In a workspace that you trust, scripts of agents may run commands and git, ask web servers, and read and write
        files anywhere. Without trust they can do none of that, only read and write inside of the workspace, and agents
        and models still work.
      </p>
      <div className="trust-switch">
        <Switch checked={isTrusted} aria-label="Trust this workspace" onCheckedChange={(trusts) => void set(trusts)} />
        <span aria-hidden>Trust this workspace</span>
      </div>
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
