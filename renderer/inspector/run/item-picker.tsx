/**
 * Selects which item of a loop the inspector and the canvas show.
 */
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { baseNodeId, type LoopStep, type LoopTally, loopStepsOf } from '../../../engine/isomorphic.ts';
import { loopItemText } from '../../stores/flow/node-places.ts';
import { shownItems } from '../../stores/runs/live/shown-items.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useChosenItems, useShownRunPart } from '../../stores/use-flow.ts';
import { useLoop } from '../../stores/use-run.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { ItemStrip, itemWords, useLoopItems } from './item-strip.tsx';
import { text } from './text.ts';
import '../item-picker.css';

/** The number of known items. */
function knownCount({ total, items }: LoopTally): number {
  return total ?? Math.max(-1, ...items.keys()) + 1;
}

/** Returns the first failed item after `from`, or else the first failed item. Undefined if none failed. */
function nextFailed({ items }: LoopTally, from: number): number | undefined {
  const failed = [...items].flatMap(([item, tally]) => (tally.failed > 0 ? [item] : [])).sort((a, b) => a - b);
  return failed.find((item) => item > from) ?? failed[0];
}

/** The summary covers all items, regardless of which one is selected. */
const allItems = { chosen: new Map<string, number>(), isTolerated: false } as const;

interface StepProps {
  readonly path: string;
  readonly place: string;
  readonly step: LoopStep;
}

function StepPicker({ path, place, step }: StepProps) {
  const tally = useLoop(path, step.loop);
  return tally === undefined ? null : <LoopPicker {...{ path, place, step, tally }} />;
}

function LoopPicker({ path, place, step, tally }: StepProps & { readonly tally: LoopTally }) {
  const { selection } = useStores();
  const loopId = baseNodeId(step.loop);
  const isChosen = useChosenItems(path).has(loopId);
  const nodeId = baseNodeId(place);
  const words = useShownRunPart(path, (run) => shownItems(run, nodeId, allItems)?.words ?? '');
  const count = knownCount(tally);
  const items = useLoopItems(path, place, step, count);
  const [pointed, setPointed] = useState<number | null>(null);
  const named = pointed ?? step.item;
  const name = loopItemText(named, { ...tally, total: tally.total ?? count });
  const failed = nextFailed(tally, step.item);
  const choose = (item: number | null): void => selection.getState().selectItem(path, loopId, item);
  return (
    <section className="item-picker" aria-label={text.items.label({ loop: loopId })}>
      <div className="item-line" data-pointed={pointed !== null || undefined}>
        <b>
          {name.charAt(0).toUpperCase()}
          {name.slice(1)}
        </b>
        <span className="item-words">{itemWords(items.of(named))}</span>
      </div>
      <ItemStrip
        label={text.items.strip}
        items={items}
        chosen={step.item}
        count={count}
        onChoose={choose}
        onPoint={setPointed}
      />
      <div className="item-line">
        <IconButton label={text.items.previous} disabled={step.item <= 0} onClick={() => choose(step.item - 1)}>
          <ChevronLeft aria-hidden size={14} />
        </IconButton>
        <IconButton label={text.items.next} disabled={step.item >= count - 1} onClick={() => choose(step.item + 1)}>
          <ChevronRight aria-hidden size={14} />
        </IconButton>
        <span className="item-count" title={words}>
          {words}
        </span>
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
