/**
 * The list of changes under review, in words. One row is selected; keys decide about it.
 */
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import type { FlowDifference } from '../../engine/isomorphic.ts';
import { ChangeMark } from '../card/change-mark.tsx';
import { DecisionButtons, verdictText } from '../card/decision-buttons.tsx';
import { chooseDifference, decideByKey, reviewKeys } from '../stores/review/choose-difference.ts';
import { type Review, type ReviewVerdict, verdictOf } from '../stores/review/review.ts';
import { kindOf } from '../stores/review/review-marks.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useIsMerge, useReview } from '../stores/use-review.ts';
import { Kbd } from '../ui/kbd.tsx';
import { moveRovingFocus, rovingItem } from '../ui/roving-focus.ts';
import { useRowHeight, useVirtualList } from '../ui/use-virtual-list.ts';
import { EffectPanel } from './effect-panel.tsx';
import { text } from './text.ts';
import './changes-view.css';

export function ChangesView({ path }: { path: string }) {
  const review = useReview(path);
  return review === undefined ? null : <Changes review={review} />;
}

function Changes({ review }: { review: Review }) {
  const stores = useStores();
  const { path, differences } = review;
  const choose = (difference: FlowDifference): void => chooseDifference(stores, path, difference);
  const index = Math.max(
    0,
    differences.findIndex(({ key }) => key === review.selected),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (decideByKey(stores, path, event)) event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys work in addition to the buttons inside
    <div className="changes-view" data-source={review.source} onKeyDown={onKeyDown} data-own-keys={reviewKeys}>
      <ChangeList key={review.proposalId ?? review.at} review={review} index={index} choose={choose} />
      {review.source === 'merge' ? null : <EffectPanel review={review} />}
    </div>
  );
}

interface ChangeListProps {
  readonly review: Review;
  /** The selected row. */
  readonly index: number;
  readonly choose: (difference: FlowDifference) => void;
}

function ChangeList({ review, index, choose }: ChangeListProps) {
  const { path, differences, isBehind } = review;
  const rowHeight = useRowHeight('--row');
  const list = useRef<HTMLUListElement>(null);
  const { scroller, drawn, show } = useVirtualList({ count: differences.length, rowHeight, keptRow: index });
  useLayoutEffect(() => {
    show(index);
    if (list.current?.contains(document.activeElement) !== true) return;
    if (document.activeElement?.closest('[aria-current="true"]') == null) focusRow(list.current);
  }, [index, show]);
  const hasFocus = useRef(false);
  useEffect(() => {
    if (document.activeElement?.closest(texts) == null) focusRow(list.current);
  }, []);
  useEffect(() => {
    // The buttons of a row are replaced when they are used.
    if (hasFocus.current && document.activeElement === document.body) focusRow(list.current);
  });
  return (
    <div ref={scroller} className="changes-list" inert={isBehind}>
      <ul
        ref={list}
        aria-label={text.list.label}
        className="virtual-rows-list"
        style={{ height: differences.length * rowHeight }}
        onKeyDown={moveRovingFocus}
        onFocus={() => {
          hasFocus.current = true;
        }}
        onBlur={({ relatedTarget }) => {
          if (relatedTarget !== null) hasFocus.current = false;
        }}
      >
        {drawn.map((row) => {
          const difference = differences[row];
          if (difference === undefined) return null;
          return (
            <li
              key={difference.key}
              className="change-row virtual-row"
              aria-setsize={differences.length}
              aria-posinset={row + 1}
              aria-current={row === index}
              style={{ top: row * rowHeight, height: rowHeight }}
              onFocus={() => choose(difference)}
            >
              <ChangeRow
                path={path}
                difference={difference}
                verdict={verdictOf(review, difference.key)}
                isSelected={row === index}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Who types in one of these keeps the focus when a review opens. */
const texts = 'input, textarea, [contenteditable="true"], .monaco-editor, [role="dialog"]';

function focusRow(list: HTMLElement | null): void {
  list?.querySelector<HTMLElement>('[aria-current="true"] [data-roving]')?.focus();
}

interface ChangeRowProps {
  readonly path: string;
  readonly difference: FlowDifference;
  readonly verdict: ReviewVerdict;
  readonly isSelected: boolean;
}

function ChangeRow({ path, difference, verdict, isSelected }: ChangeRowProps) {
  const isMerge = useIsMerge(path);
  const { key, line, text: title, parts } = difference;
  return (
    <>
      <button type="button" className="change-title" title={title} {...rovingItem(isSelected)}>
        <ChangeMark kind={kindOf(difference)} />
        <span className="change-text">{title}</span>
        {parts.length > 1 ? <span className="change-parts">{togetherText(difference)}</span> : null}
        <span className="visually-hidden">, {verdictText(verdict, isMerge)}</span>
      </button>
      <span className="change-line">{text.list.line({ line })}</span>
      <DecisionButtons path={path} keys={[key]} verdict={verdict} subject={title} />
    </>
  );
}

function togetherText({ parts: [, ...others] }: FlowDifference): string {
  const count = others.length;
  const areEdges = others.every(({ what }) => what.startsWith('edge-'));
  return areEdges ? text.list.together({ count }) : text.list.togetherParts({ count });
}

/** The keys of the list, for the row of the dock's tabs. */
export function ChangeKeys({ path }: { path: string }) {
  const { next, accept, reject, undo, yours, theirs } = text.list.keys;
  if (useIsMerge(path))
    return (
      <span className="change-keys" aria-hidden>
        <Kbd keys="J" /> <Kbd keys="K" /> {next} <Kbd keys="Y" /> {yours} <Kbd keys="T" /> {theirs} <Kbd keys="U" />{' '}
        {undo}
      </span>
    );
  return (
    <span className="change-keys" aria-hidden>
      <Kbd keys="J" /> <Kbd keys="K" /> {next} <Kbd keys="A" /> {accept} <Kbd keys="R" /> {reject} <Kbd keys="U" />{' '}
      {undo}
    </span>
  );
}
