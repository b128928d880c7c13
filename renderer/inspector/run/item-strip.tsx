/**
 * All items of a loop as small marks: the color is the state of a node in that item, the height its time. The strip itself
 * has the focus and refers to the selected item, as rows of marks come and go.
 */
// biome-ignore-all lint/a11y/useSemanticElements: rows of inputs cannot be placed at positions
// biome-ignore-all lint/a11y/useFocusableInteractive: the strip has the focus, and names the selected item
import { type KeyboardEvent, type SyntheticEvent, useEffect, useId, useMemo } from 'react';
import type { LoopStep, NodeStatus } from '../../../engine/isomorphic.ts';
import type { LiveRun } from '../../stores/runs/live/live-runs.ts';
import { nodeDurationMs } from '../../stores/runs/live/run-time.ts';
import { useShownRunPart } from '../../stores/use-flow.ts';
import { durationText } from '../../ui/quantity-text.ts';
import { visualStateLabels } from '../../ui/state-icon.tsx';
import { useVirtualList } from '../../ui/use-virtual-list.ts';
import { text } from './text.ts';
import { useSteadyRun } from './use-steady-run.ts';

/** Marks per row, so that rows start at round numbers. */
const rowLength = 50;
/** Short loops have marks of this many per row. */
const fewest = 20;
/** Height of a row in pixels; see `.item-marks`. */
const rowHeight = 18;

interface ItemFacts {
  readonly state: NodeStatus | 'idle';
  /** Undefined while it runs, and if it did not run. */
  readonly durationMs: number | undefined;
}

interface LoopItems {
  readonly of: (item: number) => ItemFacts;
  /** The longest time of an item in milliseconds. */
  readonly longestMs: number;
}

function factsOf({ state }: LiveRun, place: string): ItemFacts {
  const node = state.nodes.get(place);
  return { state: node?.status ?? 'idle', durationMs: node === undefined ? undefined : nodeDurationMs(node) };
}

/** Returns what a node did in each of the first `count` items. */
export function useLoopItems(path: string, place: string, step: LoopStep, count: number): LoopItems {
  const steady = useSteadyRun(path);
  const then = useShownRunPart(path, (shown) => (shown.moment === null ? undefined : shown));
  const run = then ?? steady.run;
  const rest = place.slice(`${step.loop}[${step.item}].`.length);
  const { loop } = step;
  // Moving the pointer over the strip renders it again, and a loop can have many items.
  return useMemo(() => {
    const of = (item: number): ItemFacts =>
      run === undefined ? { state: 'idle', durationMs: undefined } : factsOf(run, `${loop}[${item}].${rest}`);
    let longestMs = 0;
    for (let item = 0; item < count; item++) longestMs = Math.max(longestMs, of(item).durationMs ?? 0);
    return { of, longestMs };
  }, [run, loop, rest, count]);
}

/** Returns the state of an item and its time, for example `completed, 3.0 s`. */
export function itemWords({ state, durationMs }: ItemFacts): string {
  const word = state === 'idle' ? text.items.notStarted : visualStateLabels[state];
  return durationMs === undefined || state === 'skipped' ? word : `${word}, ${durationText(durationMs)}`;
}

/** Returns the item that a key moves to. Undefined for other keys. */
function itemAt(key: string, item: number, count: number): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: item + 1,
    ArrowLeft: item - 1,
    ArrowDown: item + rowLength,
    ArrowUp: item - rowLength,
    Home: 0,
    End: count - 1,
  };
  const to = moves[key];
  return to === undefined ? undefined : Math.max(0, Math.min(to, count - 1));
}

const stripKeys = ['ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'Home', 'End'];

function itemUnder({ target }: SyntheticEvent): number | null {
  const mark = target instanceof Element ? target.closest<HTMLElement>('[data-item]') : null;
  return mark === null ? null : Number(mark.dataset['item']);
}

interface ItemStripProps {
  readonly label: string;
  readonly items: LoopItems;
  readonly chosen: number;
  readonly count: number;
  readonly onChoose: (item: number) => void;
  /** Called with the item under the pointer, or null. */
  readonly onPoint: (item: number | null) => void;
}

export function ItemStrip({ label, items, chosen, count, onChoose, onPoint }: ItemStripProps) {
  const base = useId();
  const rows = Math.ceil(count / rowLength);
  const chosenRow = Math.floor(chosen / rowLength);
  const { scroller, drawn, show } = useVirtualList({ count: rows, rowHeight, keptRow: chosenRow });
  useEffect(() => show(chosenRow), [show, chosenRow]);
  const press = (event: KeyboardEvent): void => {
    const to = event.ctrlKey || event.altKey || event.metaKey ? undefined : itemAt(event.key, chosen, count);
    if (to === undefined) return;
    event.preventDefault();
    if (to !== chosen) onChoose(to);
  };
  return (
    <div
      ref={scroller}
      role="radiogroup"
      className="item-strip"
      aria-label={label}
      aria-activedescendant={`${base}-${chosen}`}
      tabIndex={0}
      data-own-keys={stripKeys.join(' ')}
      onKeyDown={press}
      onClick={(event) => {
        const item = itemUnder(event);
        if (item !== null) onChoose(item);
      }}
      onPointerOver={(event) => onPoint(itemUnder(event))}
      onPointerLeave={() => onPoint(null)}
    >
      <div role="presentation" className="item-rows" style={{ height: rows * rowHeight }}>
        {drawn.map((row) => (
          <div
            key={row}
            role="presentation"
            className="item-marks"
            style={{
              top: row * rowHeight,
              gridTemplateColumns: `repeat(${Math.max(fewest, Math.min(count, rowLength))}, 1fr)`,
            }}
          >
            {Array.from({ length: Math.min(rowLength, count - row * rowLength) }, (_, index) => {
              const item = row * rowLength + index;
              const facts = items.of(item);
              return (
                <span
                  key={item}
                  id={`${base}-${item}`}
                  role="radio"
                  className="item-mark"
                  aria-checked={item === chosen}
                  aria-posinset={item + 1}
                  aria-setsize={count}
                  aria-label={text.items.mark({ number: item + 1, words: itemWords(facts) })}
                  data-item={item}
                  data-state={facts.state}
                  style={{ '--item-share': shareOf(facts, items.longestMs) }}
                />
              );
            })}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Returns the height of a mark, from 0 to 1. The root keeps times that are far apart comparable. */
function shareOf({ durationMs = 0 }: ItemFacts, longestMs: number): string {
  return longestMs === 0 ? '0' : Math.sqrt(durationMs / longestMs).toFixed(2);
}
