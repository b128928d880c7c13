/**
 * The bar above the canvas while changes are reviewed, or while changes by another program can be reviewed.
 */
import { FileClock, FileInput, GitCompare, GitMerge, Sparkles, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import { openKeys, type Review, type ReviewSource, verdictOf } from '../stores/review/review.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useReview } from '../stores/use-review.ts';
import { Banner } from '../ui/banner.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { clockText, dateText, fullDateTimeText } from '../ui/quantity-text.ts';
import { TestsLine } from './tests-effect.tsx';
import { text } from './text.ts';
import './review-bar.css';

const icons: Readonly<Record<ReviewSource, typeof Sparkles>> = {
  proposal: Sparkles,
  disk: FileClock,
  git: GitCompare,
  assistant: Sparkles,
  import: FileInput,
  merge: GitMerge,
};

interface ReviewBarProps {
  readonly path: string;
  /** Offered when all changes of a version in Git are decided. */
  readonly commitButton?: ReactNode;
}

export function ReviewBar({ path, commitButton }: ReviewBarProps) {
  const { reviews, panes } = useStores();
  const review = useReview(path);
  const offer = useStore(reviews, ({ offers }) => offers.get(path));
  if (review !== undefined)
    return <OpenReview review={review} commitButton={review.source === 'git' ? commitButton : null} />;
  if (offer === undefined) return null;
  const open = async (): Promise<void> => {
    if (await reviews.getState().openOffer(path)) panes.getState().showDock('changes');
  };
  return (
    <Banner
      tone="info"
      actions={
        <>
          <Button size="small" onClick={() => void open()}>
            {text.offer.review({ count: offer.count })}
          </Button>
          <Button size="small" variant="ghost" onClick={() => reviews.getState().end(path)}>
            {text.offer.dismiss}
          </Button>
        </>
      }
    >
      {text.offer.changed}
    </Banner>
  );
}

/** A proposal may be days old. */
function timeText(at: number): string {
  return dateText(at) === dateText(Date.now()) ? clockText(at) : fullDateTimeText(at);
}

function OpenReview({ review, commitButton }: { review: Review; commitButton: ReactNode }) {
  const { path, source, title, by, at } = review;
  const words = text.bar;
  const Icon = icons[source];
  return (
    <section className="review-bar" aria-label={words.label}>
      <span className="review-pill">
        <Icon aria-hidden size={12} />
        {text.sources[source]}
      </span>
      <span className="review-title" title={title}>
        {title}
      </span>
      {source === 'merge' ? null : <span className="review-caption">{words.byAt({ by, time: timeText(at) })}</span>}
      <span className="review-gap" />
      <span className="review-counts" role="status">
        {statusText(review)}
      </span>
      <TestsLine path={path} />
      {openKeys(review).length === 0 ? commitButton : null}
      <Decisions review={review} path={path} />
    </section>
  );
}

function Decisions({ review, path }: { review: Review; path: string }) {
  const { source, isBehind } = review;
  const { reviews } = useStores();
  const { acceptAll, rejectAll, end, cancelMerge } = reviews.getState();
  const words = text.bar;
  const open = openKeys(review).length;
  const isMerge = source === 'merge';
  if (open === 0 && !(isMerge && isBehind))
    return (
      <Button size="small" variant="primary" onClick={() => end(path)}>
        {words.done}
      </Button>
    );
  const [reject, accept] = labelsOf(isMerge, open === review.differences.length);
  return (
    <>
      <Button size="small" disabled={isBehind} onClick={() => void rejectAll(path)}>
        {reject}
      </Button>
      <Button
        size="small"
        variant={isMerge ? 'normal' : 'primary'}
        disabled={isBehind}
        onClick={() => void acceptAll(path)}
      >
        {accept}
      </Button>
      <IconButton
        label={isMerge ? words.cancelMerge : words.end}
        onClick={() => (isMerge ? cancelMerge(path) : end(path))}
      >
        <X aria-hidden size={14} />
      </IconButton>
    </>
  );
}

/** Returns the labels of the buttons for all open differences. */
function labelsOf(isMerge: boolean, isFirst: boolean): readonly [reject: string, accept: string] {
  const words = text.bar;
  if (isMerge) return isFirst ? [words.allYours, words.allTheirs] : [words.restYours, words.restTheirs];
  return isFirst ? [words.rejectAll, words.acceptAll] : [words.rejectRest, words.acceptRest];
}

function statusText(review: Review): string {
  const words = text.bar;
  const isMerge = review.source === 'merge';
  if (review.isBehind) return isMerge ? words.undone : words.behind;
  const { accepted, rejected, open } = countsOf(review);
  return isMerge ? words.conflicts({ decided: accepted + rejected, open }) : words.counts({ accepted, rejected, open });
}

function countsOf(review: Review): { accepted: number; rejected: number; open: number } {
  const counts = { accepted: 0, rejected: 0, open: 0 };
  for (const { key } of review.differences) counts[verdictOf(review, key)] += 1;
  return counts;
}
