/**
 * Whether this workspace is trusted, what that means, and the switch.
 */
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../stores/stores-context.tsx';
import { Button } from '../ui/button.tsx';
import { Switch } from '../ui/switch.tsx';

function Question({ onAnswer }: { onAnswer: (isTrusted: boolean) => void }) {
  return (
    <div className="trust-question" role="alert">
      <p>Have you read its agents, or do you know who wrote them? From now on they may do all that you can do.</p>
      <div className="trust-answers">
        <Button autoFocus onClick={() => onAnswer(false)}>
          Do not trust
        </Button>
        <Button variant="danger" onClick={() => onAnswer(true)}>
          Trust this workspace
        </Button>
      </div>
    </div>
  );
}

export function TrustTab({ isTrusted }: { isTrusted: boolean }) {
  const { preferences, workspace } = useStores();
  const folder = useStore(workspace, (state) => state.folder);
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const set = async (trusts: boolean): Promise<void> => {
    setIsAsking(false);
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
        <Switch
          checked={isTrusted}
          aria-label="Trust this workspace"
          onCheckedChange={(trusts) => (trusts ? setIsAsking(true) : void set(false))}
        />
        <span aria-hidden>Trust this workspace</span>
      </div>
      {isAsking ? <Question onAnswer={(trusts) => (trusts ? void set(true) : setIsAsking(false))} /> : null}
      {problem === null ? null : (
        <p className="settings-problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
