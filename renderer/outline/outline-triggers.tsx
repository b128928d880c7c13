/**
 * The triggers of a flow, above its tree. Loaded with the first one, because most flows have none.
 */
import type { KeyboardEvent } from 'react';
import { useStore } from 'zustand';
import type { TriggerDoc } from '../../engine/isomorphic.ts';
import { text } from '../card/trigger/text.ts';
import { TriggerTile } from '../card/trigger/trigger-tile.tsx';
import { triggerText } from '../card/trigger/trigger-words.ts';
import { chooseDifferenceOfTrigger } from '../stores/review/choose-difference.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useReviewMark } from '../stores/use-review.ts';
import { text as outlineText } from './text.ts';

interface OutlineTriggersProps {
  readonly path: string;
  /** Those that are shown, also from `triggers.yaml` and from a review. */
  readonly triggers: readonly TriggerDoc[];
  /** Those in the text on screen. */
  readonly own: readonly TriggerDoc[];
  readonly chosen: ReadonlySet<string>;
  /** Whether the flow can be changed. */
  readonly mayEdit: boolean;
  readonly onInspect: () => void;
}

export function OutlineTriggers({ triggers, own, ...shared }: OutlineTriggersProps) {
  const ownIds = new Set(own.map(({ id }) => id));
  return (
    <ul className="outline-triggers" aria-label={text.list} onContextMenu={(event) => event.stopPropagation()}>
      {triggers.map((trigger) => (
        <TriggerRow key={trigger.id} {...shared} trigger={trigger} isOwn={ownIds.has(trigger.id)} />
      ))}
    </ul>
  );
}

interface TriggerRowProps extends Omit<OutlineTriggersProps, 'triggers' | 'own'> {
  readonly trigger: TriggerDoc;
  readonly isOwn: boolean;
}

function TriggerRow({ path, trigger, isOwn, chosen, mayEdit, onInspect }: TriggerRowProps) {
  const stores = useStores();
  const { edits, selection, openFiles } = stores;
  const { id } = trigger;
  const entry = useStore(stores.triggers, ({ entries }) =>
    entries.find((one) => one.flow === path && one.trigger === id),
  );
  const review = useReviewMark(path, 'triggers', id);
  const mark = review?.verdict === 'rejected' ? undefined : review?.kind;
  const select = (): void => {
    chooseDifferenceOfTrigger(stores, path, id);
    if (isOwn) selection.getState().choose(path, { triggers: [id] }, null);
    else if (entry?.file !== undefined) void openFiles.getState().open(entry.file, 'file');
  };
  const onKey = (event: KeyboardEvent<HTMLButtonElement>): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const rows = [...(event.currentTarget.closest('ul')?.querySelectorAll('button') ?? [])];
    const next = rows[rows.indexOf(event.currentTarget) + step];
    if (step !== 0) next?.focus();
    else if (event.key === 'Delete' && mayEdit && isOwn) {
      selection.getState().selectNode(path, null);
      void edits.change(path, { do: 'set-trigger', id, path: [], value: undefined });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <li>
      <button
        type="button"
        aria-pressed={chosen.has(id)}
        title={entry?.file === undefined ? triggerText(trigger) : text.openFile({ file: entry.file })}
        data-own-keys="ArrowUp ArrowDown Delete"
        onClick={(event) => {
          select();
          // Enter opens the form, as it does for other rows.
          if (event.detail === 0 && isOwn) onInspect();
        }}
        onKeyDown={onKey}
      >
        <TriggerTile trigger={trigger} size="small" />
        <span className="tree-name">{id}</span>
        <span className="tree-detail">{text.states[entry?.state ?? 'off']}</span>
        {mark === undefined ? null : (
          <span className="outline-mark" data-mark={mark} role="img" aria-label={outlineText.marks[mark].spoken}>
            {outlineText.marks[mark].sign}
          </span>
        )}
      </button>
    </li>
  );
}
