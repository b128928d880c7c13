/**
 * Shows what would have happened at another autonomy level: selected in a run's bar, drawn over its cards, and viewed
 * step by step.
 */
import { ChevronDown, ChevronLeft, ChevronRight, FlaskConical, X } from 'lucide-react';
import { autonomyLevels } from '../../engine/isomorphic.ts';
import { isOver, type LiveRun } from '../stores/runs/live/live-runs.ts';
import { autonomyLevelLabels, placeOfAct, type WhatIf, whatIfText } from '../stores/runs/what-if.ts';
import { useStores } from '../stores/stores-context.tsx';
import { type SettledFlow, useNodeNames } from '../stores/use-flow.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { text } from './text.ts';
import './what-if.css';

/** Selects an autonomy level to compare with. Renders nothing unless the run is a finished flow run. */
export function WhatIfMenu({ run }: { run: LiveRun }) {
  const { runs } = useStores();
  const { state, whatIf, caller } = run;
  if (state.kind !== 'flow' || caller !== null || !isOver(state)) return null;
  const show = (level: WhatIf['level'] | null): void => void runs.showWhatIf(run.runId, level);
  return (
    <Menu
      align="end"
      trigger={
        <Button size="small" variant="ghost" title={text.whatIf.hint}>
          <FlaskConical aria-hidden size={14} />
          {text.whatIf.label}
          <ChevronDown aria-hidden size={12} />
        </Button>
      }
    >
      {autonomyLevels.map((level) => (
        <MenuItem
          key={level}
          text={autonomyLevelLabels[level]}
          hint={level === state.autonomy ? text.whatIf.asItRan : undefined}
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
    <section className="what-if-bar" aria-label={text.whatIf.label}>
      <FlaskConical aria-hidden className="what-if-icon" size={14} />
      <div className="what-if-text" role="status">
        {whatIfText(whatIf)}
        <ShownAct path={path} whatIf={whatIf} />
      </div>
      {acts.length === 0 ? null : (
        <>
          <IconButton label={text.whatIf.previous} disabled={at === null || at === 0} onClick={() => go((at ?? 0) - 1)}>
            <ChevronLeft aria-hidden size={14} />
          </IconButton>
          <span className="what-if-count">{positionText(at, acts.length)}</span>
          <IconButton
            label={text.whatIf.next}
            disabled={at === acts.length - 1}
            onClick={() => go(at === null ? 0 : at + 1)}
          >
            <ChevronRight aria-hidden size={14} />
          </IconButton>
        </>
      )}
      <IconButton label={text.whatIf.close} onClick={() => void runs.showWhatIf(runId, null)}>
        <X aria-hidden size={14} />
      </IconButton>
    </section>
  );
}

function positionText(at: number | null, count: number): string {
  return at === null ? text.whatIf.beforeFirst({ count }) : text.whatIf.position({ number: at + 1, count });
}

function actText({ kind, tool, byModel }: WhatIf['acts'][number], node: string): string {
  const { pauses, pausesBefore, pausesBeforeModel, isSuggested, suggests } = text.whatIf;
  if (kind !== 'pause') return tool === undefined ? isSuggested({ node }) : suggests({ node, tool });
  if (tool === undefined) return pauses({ node });
  return byModel === true ? pausesBeforeModel({ node, tool }) : pausesBefore({ node, tool });
}

/** The action at the current step. */
function ShownAct({ path, whatIf: { acts, at } }: { path: string; whatIf: WhatIf }) {
  const names = useNodeNames(path);
  const act = at === null ? undefined : acts[at];
  if (act === undefined) return null;
  return <span className="what-if-act">{actText(act, names.get(act.nodeId) ?? act.nodeId)}</span>;
}
