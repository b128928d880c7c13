/**
 * The changes under review in the text of a file, each with its buttons.
 */
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { ChangeMark } from '../card/change-mark.tsx';
import { DecisionButtons } from '../card/decision-buttons.tsx';
import { chooseDifference } from '../stores/review/choose-difference.ts';
import type { Review } from '../stores/review/review.ts';
import { kindOf } from '../stores/review/review-marks.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useReview } from '../stores/use-review.ts';
import { findHunks, type ShownHunk, showHunks } from './hunk-view.ts';
import { text as words } from './text.ts';
import type { TextEditor } from './text-editor.ts';
import './review-hunks.css';

/** Shows the undecided changes of an open review in an editor. Returns the titles and buttons of the hunks. */
export function useReviewHunks(path: string, editor: { readonly current: TextEditor | null }) {
  const stores = useStores();
  const review = useReview(path);
  const [shown, setShown] = useState<readonly ShownHunk[]>([]);
  const { texts, taken, decided, text, isBehind } = review ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: these parts of the review change the hunks
  useEffect(() => {
    const { current } = editor;
    if (review === undefined || review.isBehind || current === null) return;
    let end = (): void => undefined;
    let isWanted = true;
    const show = async (): Promise<void> => {
      const open = await stores.reviews.getState().undecidedTexts(path);
      const found = open === null || !isWanted ? null : await findHunks(current.file, open);
      if (found === null || !isWanted) return;
      const view = showHunks(current.view, found);
      end = view.end;
      setShown(view.shown);
    };
    void show();
    return () => {
      isWanted = false;
      end();
      setShown([]);
    };
  }, [stores, editor, path, texts, taken, decided, text, isBehind]);
  const selected = review?.selected ?? null;
  useEffect(() => {
    const view = editor.current?.view;
    const found = shown.find(({ hunk }) => selected !== null && hunk.keys.includes(selected));
    if (view === undefined || found === undefined || view.hasTextFocus()) return;
    view.revealLineInCenterIfOutsideViewport(Math.max(1, found.hunk[found.side].first));
  }, [editor, shown, selected]);
  if (review === undefined) return null;
  return shown.map(({ hunk, side, head }, index) =>
    createPortal(<HunkHead review={review} hunk={hunk} side={side} />, head, String(index)),
  );
}

type HunkHeadProps = Pick<ShownHunk, 'hunk' | 'side'> & { readonly review: Review };

function HunkHead({ review, hunk, side }: HunkHeadProps) {
  const stores = useStores();
  const { path, selected } = review;
  const differences = review.differences.filter(({ key }) => hunk.keys.includes(key));
  const [main, ...others] = differences;
  if (main === undefined) return <span className="hunk-title">{words.hunks.rest}</span>;
  const title = others.length === 0 ? main.text : words.hunks.several({ change: main.text, count: others.length });
  const isSelected = differences.some(({ key }) => key === selected);
  return (
    <section className="hunk" aria-label={words.hunks.label({ change: title })} aria-current={isSelected}>
      <ChangeMark kind={kindOf(main)} isDecorative />
      <button type="button" className="hunk-title" title={title} onClick={() => chooseDifference(stores, path, main)}>
        {title}
      </button>
      <span className="visually-hidden">{words.hunks.lines(countsOf(hunk, side))}</span>
      <DecisionButtons path={path} keys={differences.map(({ key }) => key)} verdict="open" subject={title} />
    </section>
  );
}

/** Returns how many lines the hunk adds and removes, and where the text on screen has it. */
function countsOf({ before, after }: ShownHunk['hunk'], side: ShownHunk['side']) {
  const { first } = side === 'after' ? after : before;
  return { line: first, added: after.count, removed: before.count };
}
