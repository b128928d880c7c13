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
import { text } from './text.ts';
import './permissions-dialog.css';

type Planned = PermissionPlan['missing'][number];

const icons: Readonly<Record<Planned['need']['kind'], typeof Globe>> = {
  trust: SquareTerminal,
  'private-address': Network,
  'secret-host': KeyRound,
  'flow-secrets': Code2,
};

/** Maximum number of nodes to name. Further nodes are only counted. */
const mostNames = 3;

/**
 * Returns the nodes or the agent that need the permission, what happens to them without it, and what else it allows.
 */
function noteOf({ need, nodes }: Planned, kind: PermissionPlan['kind'], isSelected: boolean): string {
  const { namesAndMore, secretsSelected, secretsNotSelected, needed, notSelected, notSelectedAgent, trust } =
    text.permissions;
  if (need.kind === 'flow-secrets') return isSelected ? secretsSelected : secretsNotSelected;
  const first = nodes.slice(0, mostNames).join(', ');
  const more = nodes.length - mostNames;
  const names = { nodes: more > 0 ? namesAndMore({ names: first, count: more }) : first };
  const use = isSelected ? needed(names) : kind === 'agent' ? notSelectedAgent(names) : notSelected(names);
  return need.kind === 'trust' ? `${use} ${trust}` : use;
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
  const needed = needText(need);
  return (
    <li>
      <label className="permission-row">
        <input type="checkbox" checked={isSelected} onChange={onToggle} />
        <Icon aria-hidden size={14} />
        <b>{needed.charAt(0).toUpperCase() + needed.slice(1)}</b>
        <span className="permission-count">
          {need.kind === 'flow-secrets' || kind === 'agent' ? '' : text.permissions.nodes({ count: nodes.length })}
        </span>
        <span className="permission-note">{noteOf(planned, kind, isSelected)}</span>
      </label>
    </li>
  );
}

/** Returns the text of the button that starts the run with the selected permissions. */
function startText(kind: PermissionPlan['kind'], count: number): string {
  const { runWithout, startWithout, allowAndRun, allowAndStart } = text.permissions;
  if (kind === 'conversation') return count === 0 ? startWithout : allowAndStart({ count });
  return count === 0 ? runWithout : allowAndRun({ count });
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
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isAsking) return;
    setIsAsking(true);
    setProblem(await permissionAsk.getState().allow([...selected]));
    setIsAsking(false);
  };
  return (
    <form className="permissions" onSubmit={(event) => void submit(event)}>
      <ul aria-label={text.permissions.list} data-selectable>
        {plan.missing.map((planned) => {
          const key = needKey(planned.need);
          const row = { planned, kind: plan.kind, isSelected: selected.has(key) };
          return <NeedRow key={key} {...row} onToggle={() => toggle(key)} />;
        })}
      </ul>
      {plan.hosts.length === 0 ? null : (
        <p className="permission-hosts">
          <Globe aria-hidden size={14} />
          <span data-selectable>{text.permissions.hosts({ hosts: plan.hosts.join(', ') })}</span>
        </p>
      )}
      <p className="permission-hosts">
        <Shield aria-hidden size={14} />
        <span>{text.permissions.scope}</span>
      </p>
      {problem === null ? null : (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <footer className="permission-actions">
        <Button onClick={() => permissionAsk.getState().close()}>{text.permissions.notNow}</Button>
        <Button type="submit" variant="primary" disabled={isAsking} data-first-focus>
          {startText(plan.kind, selected.size)}
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
      title={text.permissions.title[asked?.plan.kind ?? 'flow']}
      description={text.permissions.about}
    >
      {asked === null ? null : <PermissionsForm plan={asked.plan} />}
    </Dialog>
  );
}
