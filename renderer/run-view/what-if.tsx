/**
 * Shows what would have happened at another autonomy level: selected in the bar of a run, drawn over its cards, and
 * stepped through.
 */
import { ChevronDown, ChevronLeft, ChevronRight, FlaskConical, X } from 'lucide-react';
import { autonomyLevels } from '../../engine/isomorphic.ts';
import { isOver, type LiveRun } from '../stores/runs/live/live-runs.ts';
import { autonomyLevelLabels, placeOfAct, type WhatIf, whatIfText } from '../stores/runs/what-if.ts';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useNodeNames } from '../stores/use-flow.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import './what-if.css';

/** The selection of a level, for a finished run of a flow. Renders nothing for others. */
export function WhatIfMenu({ run }: { run: LiveRun }) {
  const { runs } = useStores();
  const { state, whatIf, caller } = run;
  if (state.kind !== 'flow' || caller !== null || !isOver(state)) return null;
  const show = (level: WhatIf['level'] | null): void => void runs.showWhatIf(run.runId, level);
  return (
    <Menu
      align="end"
      trigger={
        <Button size="small" variant="ghost" title="Where it would have paused, or only suggested, at another level">
          <FlaskConical aria-hidden size={14} />
          What if
          <ChevronDown aria-hidden size={12} />
        </Button>
      }
    >
      {autonomyLevels.map((level) => (
        <MenuItem
          key={level}
          text={autonomyLevelLabels[level]}
          hint={level === state.autonomy ? 'as it ran' : undefined}
          isChecked={whatIf?.level === level}
          onSelect={() => show(whatIf?.level === level ? null : level)}
        />
      ))}
    </Menu>
  );
}

/** The result, with buttons to step through it. */
export function WhatIfBar({ flow: { path }, run }: { flow: SettledFlow; run: LiveRun }) {
  const { runs, liveRuns, selection } = useStores();
  const { whatIf, runId } = run;
  if (whatIf === null) return null;
  const { acts, at } = whatIf;
  const go = (next: number): void => {
    const act = acts[next];
    if (act === undefined) return;
    liveRuns.getState().setWhatIf(runId, { ...whatIf, at: next });
    selection.getState().selectPlace(path, placeOfAct(act));
  };
  return (
    <section className="what-if-bar" aria-label="What if">
      <FlaskConical aria-hidden className="what-if-icon" size={14} />
      <div className="what-if-text" role="status">
        {whatIfText(whatIf)}
        <ShownAct path={path} whatIf={whatIf} />
      </div>
      {acts.length === 0 ? null : (
        <>
          <IconButton label="Previous" disabled={at === null || at === 0} onClick={() => go((at ?? 0) - 1)}>
            <ChevronLeft aria-hidden size={14} />
          </IconButton>
          <span className="what-if-count">{`${at === null ? '–' : at + 1} of ${acts.length}`}</span>
          <IconButton label="Next" disabled={at === acts.length - 1} onClick={() => go(at === null ? 0 : at + 1)}>
            <ChevronRight aria-hidden size={14} />
          </IconButton>
        </>
      )}
      <IconButton label="Close" onClick={() => void runs.showWhatIf(runId, null)}>
        <X aria-hidden size={14} />
      </IconButton>
    </section>
  );
}

/** The action at the current step. */
function ShownAct({ path, whatIf: { acts, at } }: { path: string; whatIf: WhatIf }) {
  const names = useNodeNames(path);
  const act = at === null ? undefined : acts[at];
  if (act === undefined) return null;
  const { kind, nodeId, tool, byModel } = act;
  const who = names.get(nodeId) ?? nodeId;
  const what = tool === undefined ? '' : ` before ${byModel === true ? 'its model calls' : 'it calls'} ${tool}`;
  const words = kind === 'pause' ? `pauses${what}` : tool === undefined ? 'is only suggested' : `suggests ${tool}`;
  return <span className="what-if-act">{`${who} ${words}`}</span>;
}
