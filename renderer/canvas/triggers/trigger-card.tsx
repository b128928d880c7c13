/**
 * The card of a trigger.
 */
import { TriangleAlert } from 'lucide-react';
import type { MouseEvent } from 'react';
import type { TriggerDoc } from '../../../engine/isomorphic.ts';
import { CardReview } from '../../card/card-review.tsx';
import { text } from '../../card/trigger/text.ts';
import { TriggerTile } from '../../card/trigger/trigger-tile.tsx';
import {
  kindText,
  lockReason,
  type TriggerFooter,
  triggerSentence,
  triggerText,
} from '../../card/trigger/trigger-words.ts';
import { chooseDifferenceOfTrigger } from '../../stores/review/choose-difference.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { useReviewMark } from '../../stores/use-review.ts';
import { initialFlowView } from '../../stores/window/selection.ts';
import type { ListedTrigger } from '../../stores/workspace/triggers.ts';
import { fileNameOf } from '../../stores/workspace/workspace.ts';
import { focusFirstField } from '../../ui/focus-field.ts';
import { Switch } from '../../ui/switch.tsx';
import type { Rect } from '../geometry/rect.ts';

interface TriggerCardProps {
  readonly path: string;
  readonly doc: TriggerDoc;
  readonly box: Rect;
  readonly entry: ListedTrigger | undefined;
  readonly footer: TriggerFooter;
  readonly isSelected: boolean;
  readonly isFound: boolean;
  /** Whether only a review draws it. */
  readonly isGhost: boolean;
}

export function TriggerCard({ path, doc, box, entry, footer, isSelected, isFound, isGhost }: TriggerCardProps) {
  const stores = useStores();
  const { triggers, selection, panes, openFiles } = stores;
  const { id } = doc;
  const mark = useReviewMark(path, 'triggers', id);
  const file = entry?.file;
  // Room for the link to the file.
  const isFileShown = file !== undefined && entry?.state === 'off' && entry.problem === undefined;
  const isOn = entry !== undefined && entry.state !== 'off';
  const switchTo = (next: boolean): void => void triggers.getState().switchTrigger(path, id, next);
  const choose = (event?: MouseEvent): void => {
    chooseDifferenceOfTrigger(stores, path, id);
    if (isGhost) {
      selection.getState().selectNode(path, null);
      return;
    }
    const { choose: put, views } = selection.getState();
    const { chosen } = views.get(path) ?? initialFlowView;
    const isMore = event !== undefined && (event.shiftKey || event.ctrlKey || event.metaKey);
    put(
      path,
      isMore ? { ...chosen, triggers: [...chosen.triggers, id] } : { triggers: [id] },
      isMore ? undefined : null,
    );
  };
  const spoken = text.spoken({
    name: id,
    kind: kindText(doc),
    sentence: triggerText(doc),
    state: [isOn ? text.on : '', footer.left, footer.right, file === undefined ? '' : text.openFile({ file })]
      .filter((part) => part !== '')
      .join(', '),
  });
  const inspect = (): void => {
    panes.getState().showForm();
    requestAnimationFrame(() => focusFirstField('.inspector'));
  };
  const card = (
    <div
      className="trigger-card nopan nodrag"
      data-selected={isSelected}
      data-found={isFound}
      data-off={!isOn}
      data-ghost={isGhost}
      style={{ left: box.x, top: box.y, width: box.width, height: box.height }}
    >
      <button
        type="button"
        className="trigger-card-face"
        aria-label={spoken}
        aria-pressed={isSelected}
        data-trigger={id}
        onClick={(event) => {
          if (file !== undefined) {
            void openFiles.getState().open(file, 'file');
            return;
          }
          choose(event);
          // Enter opens the form, as it does for other cards.
          if (event.detail === 0 && !isGhost) inspect();
        }}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible') && !isSelected && file === undefined) choose();
        }}
      />
      <header className="trigger-card-header">
        <TriggerTile trigger={doc} />
        <span className="trigger-card-title" title={id}>
          {id}
        </span>
        <span className="trigger-card-switch" title={lockReason(entry)}>
          <Switch
            aria-label={text.isOn({ name: id })}
            checked={isOn}
            disabled={isGhost || lockReason(entry) !== undefined}
            onCheckedChange={switchTo}
          />
        </span>
      </header>
      <p className="trigger-card-sentence" title={triggerText(doc)}>
        {triggerSentence(doc).map((part, index) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
          typeof part === 'string' ? part : <code key={index}>{part.chip}</code>,
        )}
      </p>
      <footer className="trigger-card-footer" data-tone={footer.tone} title={entry?.problem}>
        {footer.tone === 'attention' && footer.right === '' ? <TriangleAlert aria-hidden size={12} /> : null}
        <span className="trigger-card-left">{isFileShown ? text.states.off : footer.left}</span>
        <FooterAction entry={entry} right={footer.right} onSwitch={switchTo} />
      </footer>
    </div>
  );
  if (mark === undefined) return card;
  return (
    <div className="trigger-review">
      {card}
      <div style={{ left: box.x, top: box.y, width: box.width, height: box.height }}>
        <CardReview path={path} nodeId={id} mark={mark} />
      </div>
    </div>
  );
}

interface FooterActionProps {
  readonly entry: ListedTrigger | undefined;
  readonly right: string;
  readonly onSwitch: (isOn: boolean) => void;
}

/** What a person can do about a trigger, or the text on the right. */
function FooterAction({ entry, right, onSwitch }: FooterActionProps) {
  const { preferences, openFiles } = useStores();
  const button = (label: string, onClick: () => void, spoken = label) => (
    <button type="button" className="trigger-card-confirm" aria-label={spoken} onClick={onClick}>
      {label}
    </button>
  );
  if (entry?.needsTrust === true) return button(text.footer.trust, () => preferences.getState().open('trust'));
  if (entry?.state === 'changed' && entry.problem === undefined)
    return button(text.footer.confirm, () => onSwitch(true), text.footer.confirmLong({ name: entry.trigger }));
  const { file } = entry ?? {};
  if (file !== undefined)
    return button(
      text.openFile({ file: fileNameOf(file) }),
      () => void openFiles.getState().open(file, 'file'),
      text.openFile({ file }),
    );
  return <span className="trigger-card-right">{right}</span>;
}
