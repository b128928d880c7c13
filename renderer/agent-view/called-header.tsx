import { ArrowLeft } from 'lucide-react';
import type { RunState } from '../../engine/isomorphic.ts';
import { countEnded, countInputs } from '../stores/agents/agent-runs.ts';
import { useStores } from '../stores/stores-context.tsx';
import { flowNameOf } from '../stores/text/paths.ts';
import { Button } from '../ui/button.tsx';
import { countText, durationText } from '../ui/quantity-text.ts';
import { StateIcon, stateWords } from '../ui/state-icon.tsx';
import './called-header.css';

function factsOf(called: RunState): string {
  const tokens = called.usage.promptTokens + called.usage.completionTokens;
  const total = countInputs(called);
  const parts = [
    ...(total === 0 ? [] : [`${countEnded(called)} of ${total} inputs`]),
    ...(tokens === 0 ? [] : [`${countText(tokens)} tokens`]),
    ...(called.durationMs === null ? [] : [durationText(called.durationMs)]),
  ];
  return parts.join(' · ');
}

/** Names the called run that is looked at, and leads back to the one that called it. */
export function CalledHeader({ path, root, called }: { path: string; root: RunState; called: RunState }) {
  const { agentViews } = useStores();
  const caller = called.parentRunId === null ? undefined : root.children.get(called.parentRunId);
  const { kind, name } = caller ?? root;
  const callerName = kind === 'agent' ? flowNameOf(name) : name;
  return (
    <header className="called-header">
      <Button size="small" onClick={() => agentViews.getState().showCalled(path, caller?.runId ?? null)}>
        <ArrowLeft aria-hidden size={13} />
        <span className="called-header-back">Back to {callerName}</span>
      </Button>
      <StateIcon state={called.status} size={13} isDecorative />
      <b className="called-header-name" title={called.name}>
        {called.label ?? flowNameOf(called.name)}
      </b>
      <span className="called-header-facts">
        {[stateWords[called.status], factsOf(called)].filter((text) => text !== '').join(' · ')}
      </span>
    </header>
  );
}
