/**
 * The page of permissions that a run lacks, shown before it starts. The user selects some, and a system dialog asks
 * once for all of them.
 */
import { Code2, Globe, KeyRound, Network, Shield, SquareTerminal } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useStore } from 'zustand';
import { needKey, needText } from '../../../engine/isomorphic.ts';
import { firstSelected, type PermissionPlan } from '../../stores/runs/requests/permission-ask.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { pluralText } from '../../ui/quantity-text.ts';
import './permissions-dialog.css';

type Planned = PermissionPlan['missing'][number];

const icons: Readonly<Record<Planned['need']['kind'], typeof Globe>> = {
  trust: SquareTerminal,
  'private-address': Network,
  'secret-host': KeyRound,
  'flow-secrets': Code2,
};

/**
 * Returns the nodes or the agent that need the permission, what happens to them without it, and what else it allows.
 */
function noteOf({ need, nodes }: Planned, kind: PermissionPlan['kind'], isSelected: boolean): string {
  const names = nodes.length > 3 ? `${nodes.slice(0, 3).join(', ')} and ${nodes.length - 3} more` : nodes.join(', ');
  if (need.kind === 'flow-secrets')
    return isSelected
      ? 'Millrace never gives their values to a model or writes them to a file.'
      : 'Not selected: the run asks when it starts.';
  const reach =
    need.kind === 'trust'
      ? ' Trust covers the whole workspace: its flows and agents can then do all that you can do.'
      : '';
  if (isSelected) return `Needed by ${names}.${reach}`;
  const without = kind === 'agent' ? `scripts of ${names} will fail without it` : `the run pauses at ${names}`;
  return `Not selected: ${without}.${reach}`;
}

interface NeedRowProps {
  readonly planned: Planned;
  readonly kind: PermissionPlan['kind'];
  readonly isSelected: boolean;
  readonly onToggle: () => void;
}

function NeedRow({ planned, kind, isSelected, onToggle }: NeedRowProps) {
  const { need, nodes } = planned;
  const Icon = icons[need.kind];
  const text = needText(need);
  return (
    <li>
      <label className="permission-row">
        <input type="checkbox" checked={isSelected} onChange={onToggle} />
        <Icon aria-hidden size={14} />
        <b>{text.charAt(0).toUpperCase() + text.slice(1)}</b>
        <span className="permission-count">
          {need.kind === 'flow-secrets' || kind === 'agent' ? '' : pluralText(nodes.length, 'node')}
        </span>
        <span className="permission-note">{noteOf(planned, kind, isSelected)}</span>
      </label>
    </li>
  );
}

function PermissionsForm({ plan }: { readonly plan: PermissionPlan }) {
  const { permissionAsk } = useStores();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(firstSelected(plan)));
  const [problem, setProblem] = useState<string | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const toggle = (key: string): void => {
    const next = new Set(selected);
    if (!next.delete(key)) next.add(key);
    setSelected(next);
  };
  const verb = plan.kind === 'conversation' ? 'Start' : 'Run';
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isAsking) return;
    setIsAsking(true);
    setProblem(await permissionAsk.getState().allow([...selected]));
    setIsAsking(false);
  };
  return (
    <form className="permissions" onSubmit={(event) => void submit(event)}>
      <ul aria-label="Missing permissions" data-selectable>
        {plan.missing.map((planned) => {
          const key = needKey(planned.need);
          const row = { planned, kind: plan.kind, isSelected: selected.has(key) };
          return <NeedRow key={key} {...row} onToggle={() => toggle(key)} />;
        })}
      </ul>
      {plan.hosts.length === 0 ? null : (
        <p className="permission-hosts">
          <Globe aria-hidden size={14} />
          <span data-selectable>Sends requests to {plan.hosts.join(', ')}.</span>
        </p>
      )}
      <p className="permission-hosts">
        <Shield aria-hidden size={14} />
        <span>
          For this workspace on this computer, after one confirmation by your operating system. You can revoke trust and
          hosts in Settings.
        </span>
      </p>
      {problem === null ? null : (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <footer className="permission-actions">
        <Button onClick={() => permissionAsk.getState().close()}>Not now</Button>
        <Button type="submit" variant="primary" disabled={isAsking} data-first-focus>
          {selected.size === 0 ? `${verb} without` : `Allow ${selected.size} and ${verb.toLowerCase()}`}
        </Button>
      </footer>
    </form>
  );
}

export function PermissionsDialog() {
  const { permissionAsk } = useStores();
  const asked = useStore(permissionAsk, (state) => state.asked);
  return (
    <Dialog
      isOpen={asked !== null}
      onClose={() => permissionAsk.getState().close()}
      title={`This ${asked?.plan.kind ?? 'flow'} needs your permission`}
      description="Decide now, so that the run does not stop halfway. You are asked again when the flow changes or needs more."
    >
      {asked === null ? null : <PermissionsForm plan={asked.plan} />}
    </Dialog>
  );
}
