/**
 * Selects which item of a loop the inspector and the canvas show.
 */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { baseNodeId, type LoopStep, type LoopTally, loopStepsOf, type NodeStatus } from '../../../engine/isomorphic.ts';
import { loopItemText } from '../../stores/flow/node-places.ts';
import { shownItems } from '../../stores/runs/live/shown-items.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useChosenItems, useShownRunPart } from '../../stores/use-flow.ts';
import { useLoop } from '../../stores/use-run.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { visualStateLabels } from '../../ui/state-icon.tsx';
import { text } from './text.ts';
import '../item-picker.css';

/** Number of items that the strip shows around the selected one. */
const stripLength = 24;

/** The number of known items. */
function knownCount({ total, items }: LoopTally): number {
  return total ?? Math.max(-1, ...items.keys()) + 1;
}

/** Returns the first failed item after `from`, or else the first failed item. Undefined if none failed. */
function nextFailed({ items }: LoopTally, from: number): number | undefined {
  const failed = [...items].flatMap(([item, tally]) => (tally.failed > 0 ? [item] : [])).sort((a, b) => a - b);
  return failed.find((item) => item > from) ?? failed[0];
}

interface StripProps {
  readonly path: string;
  readonly place: string;
  readonly step: LoopStep;
  readonly count: number;
  readonly onChoose: (item: number) => void;
}

type ItemState = NodeStatus | 'idle';

/** One square per item. The buttons below offer the same choice. */
function Strip({ path, place, step, count, onChoose }: StripProps) {
  const first = Math.max(0, Math.min(step.item - stripLength / 2, count - stripLength));
  const shown = Array.from({ length: Math.min(stripLength, count) }, (_, index) => first + index);
  const rest = place.slice(`${step.loop}[${step.item}].`.length);
  const states = useShownRunPart(path, ({ state }) =>
    shown.map((item): ItemState => state.nodes.get(`${step.loop}[${item}].${rest}`)?.status ?? 'idle').join(),
  );
  const stateOf = (states?.split(',') ?? []) as ItemState[];
  const labelOf = (index: number): string => {
    const state = stateOf[index] ?? 'idle';
    return state === 'idle' ? text.items.notStarted : visualStateLabels[state];
  };
  return (
    <div className="item-strip" aria-hidden>
      {shown.map((item, index) => (
        <button
          key={item}
          type="button"
          tabIndex={-1}
          className="item-square"
          title={text.items.square({ number: item + 1, state: labelOf(index) })}
          data-state={stateOf[index]}
          data-chosen={item === step.item}
          onClick={() => onChoose(item)}
        />
      ))}
    </div>
  );
}

/** The summary covers all items, regardless of which one is selected. */
const allItems = { chosen: new Map<string, number>(), isTolerated: false } as const;

interface StepProps {
  readonly path: string;
  readonly place: string;
  readonly step: LoopStep;
}

function StepPicker({ path, place, step }: StepProps) {
  const { selection } = useStores();
  const loopId = baseNodeId(step.loop);
  const tally = useLoop(path, step.loop);
  const isChosen = useChosenItems(path).has(loopId);
  const nodeId = baseNodeId(place);
  const words = useShownRunPart(path, (run) => shownItems(run, nodeId, allItems)?.words ?? '');
  if (tally === undefined) return null;
  const count = knownCount(tally);
  const name = loopItemText(step.item, { ...tally, total: tally.total ?? count });
  const failed = nextFailed(tally, step.item);
  const choose = (item: number | null): void => selection.getState().selectItem(path, loopId, item);
  return (
    <section className="item-picker" aria-label={text.items.label({ loop: loopId })}>
      <div className="item-line">
        <span>
          <b>
            {name.charAt(0).toUpperCase()}
            {name.slice(1)}
          </b>
        </span>
        <span className="item-count">{words}</span>
      </div>
      <Strip path={path} place={place} step={step} count={count} onChoose={choose} />
      <div className="item-line">
        <IconButton label={text.items.previous} disabled={step.item <= 0} onClick={() => choose(step.item - 1)}>
          <ChevronLeft aria-hidden size={14} />
        </IconButton>
        <IconButton label={text.items.next} disabled={step.item >= count - 1} onClick={() => choose(step.item + 1)}>
          <ChevronRight aria-hidden size={14} />
        </IconButton>
        <span className="item-gap" />
        {failed === undefined || failed === step.item ? null : (
          <Button size="small" onClick={() => choose(failed)}>
            {text.items.nextFailed}
          </Button>
        )}
        <Button
          size="small"
          variant="ghost"
          aria-pressed={!isChosen}
          onClick={() => choose(isChosen ? null : step.item)}
        >
          {text.items.follow}
        </Button>
      </div>
    </section>
  );
}

/** A picker for each loop around the node. Renders nothing for a node outside loops. */
export function ItemPicker({ path, place }: { path: string; place: string }) {
  return loopStepsOf(place).map((step) => <StepPicker key={step.loop} path={path} place={place} step={step} />);
}
