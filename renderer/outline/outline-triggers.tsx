/**
 * The triggers of a flow, above its tree. Loaded with the first one, because most flows have none.
 */
import type { KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import type { TriggerDoc } from '../../engine/isomorphic.ts';
import { text } from '../card/trigger/text.ts';
import { TriggerTile } from '../card/trigger/trigger-tile.tsx';
import { triggerText } from '../card/trigger/trigger-words.ts';
import { useStores } from '../stores/stores-context.tsx';

interface OutlineTriggersProps {
  readonly path: string;
  readonly triggers: readonly TriggerDoc[];
  readonly chosen: ReadonlySet<string>;
  /** Whether the flow can be changed. */
  readonly mayEdit: boolean;
  readonly onInspect: () => void;
}

export function OutlineTriggers({ path, triggers, chosen, mayEdit, onInspect }: OutlineTriggersProps) {
  const { edits, selection, triggers: known } = useStores();
  const entries = useStore(known, (state) => state.entries);
  const select = (id: string): void => selection.getState().choose(path, { triggers: [id] }, null);
  const onKey = (event: KeyboardEvent<HTMLButtonElement>, id: string): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const rows = [...(event.currentTarget.closest('ul')?.querySelectorAll('button') ?? [])];
    const next = rows[rows.indexOf(event.currentTarget) + step];
    if (step !== 0) next?.focus();
    else if (event.key === 'Delete' && mayEdit) {
      selection.getState().selectNode(path, null);
      void edits.change(path, { do: 'set-trigger', id, path: [], value: undefined });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <ul className="outline-triggers" aria-label={text.list} onContextMenu={(event) => event.stopPropagation()}>
      {triggers.map((trigger) => {
        const { id } = trigger;
        const entry = entries.find((one) => one.flow === path && one.trigger === id);
        const state = text.states[entry?.state ?? 'off'];
        return (
          <li key={id}>
            <button
              type="button"
              aria-pressed={chosen.has(id)}
              title={triggerText(trigger)}
              data-own-keys="ArrowUp ArrowDown Delete"
              onClick={(event) => {
                select(id);
                // Enter opens the form, as it does for other rows.
                if (event.detail === 0) onInspect();
              }}
              onKeyDown={(event) => onKey(event, id)}
            >
              <TriggerTile trigger={trigger} size="small" />
              <span className="tree-name">{id}</span>
              <span className="tree-detail">{state}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
