/**
 * One square per item of a loop, to choose the item whose values are compared.
 */
import type { ComparedNode, ComparedPlace } from '../../engine/isomorphic.ts';
import type { ShownComparison } from '../stores/runs/comparison.ts';
import { useStores } from '../stores/stores-context.tsx';
import { moveGridFocus, rovingItem } from '../ui/roving-focus.ts';
import { text } from './text.ts';
import { usePlace } from './use-compared-node.ts';

/** Maximum number of squares. Those around the chosen item are shown. */
const mostSquares = 240;

interface ItemStripProps {
  readonly path: string;
  readonly comparison: ShownComparison;
  readonly node: ComparedNode;
}

export function ItemStrip({ path, comparison, node: { id, places } }: ItemStripProps) {
  const { selection } = useStores();
  const chosen = usePlace(path, comparison, id);
  const at = Math.max(
    0,
    places.findIndex(({ place }) => place === chosen),
  );
  const first = Math.max(0, Math.min(at - mostSquares / 2, places.length - mostSquares));
  const shown = places.slice(first, first + mostSquares);
  return (
    <section className="compare-section" aria-label={text.tab.items}>
      <h3>
        {text.tab.items}
        <em>{countsText(places)}</em>
      </h3>
      {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of fields */}
      <div className="compare-strip" role="group" aria-label={text.tab.items} onKeyDown={moveGridFocus}>
        {shown.map(({ place, difference }, index) => (
          <button
            key={place}
            type="button"
            className="compare-square"
            aria-label={labelOf(first + index, difference)}
            title={labelOf(first + index, difference)}
            aria-pressed={place === chosen}
            data-difference={difference}
            onClick={() => selection.getState().selectPlace(path, place)}
            onFocus={({ target }) => {
              if (target.matches(':focus-visible') && place !== chosen) selection.getState().selectPlace(path, place);
            }}
            {...rovingItem(place === chosen)}
          />
        ))}
      </div>
      <p className="compare-quiet">
        {shown.length < places.length ? `${text.tab.shownItems({ count: shown.length, total: places.length })} ` : ''}
        {text.tab.itemHint}
      </p>
    </section>
  );
}

const words: Readonly<Record<ComparedPlace['difference'], string>> = {
  same: text.strip.same,
  output: text.strip.output,
  error: text.strip.error,
  state: text.strip.state,
  items: text.strip.state,
  'only-a': text.values.onlyIn({ side: 'A' }),
  'only-b': text.values.onlyIn({ side: 'B' }),
};

function labelOf(index: number, difference: ComparedPlace['difference']): string {
  return text.tab.itemLabel({ number: index + 1, difference: words[difference] });
}

function countsText(places: readonly ComparedPlace[]): string {
  const count = (wanted: (difference: ComparedPlace['difference']) => boolean): number =>
    places.filter(({ difference }) => wanted(difference)).length;
  const [onlyA, onlyB] = [count((one) => one === 'only-a'), count((one) => one === 'only-b')];
  const both = places.length - onlyA - onlyB;
  const differ = count((one) => one !== 'same') - onlyA - onlyB;
  return [
    text.tab.itemCount({ count: differ, total: both }),
    ...(onlyA === 0 ? [] : [text.tab.itemsOnly({ count: onlyA, side: 'A' })]),
    ...(onlyB === 0 ? [] : [text.tab.itemsOnly({ count: onlyB, side: 'B' })]),
  ].join(', ');
}
