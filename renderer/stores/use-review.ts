/**
 * Hooks for the views of a review.
 */
import { useStore } from 'zustand';
import type { Review } from './review/review.ts';
import { marksOf, type ReviewMark, type ReviewMarks } from './review/review-marks.ts';
import { useStores } from './stores-context.tsx';

/** Returns the open review of a file. */
export function useReview(path: string): Review | undefined {
  return useStore(useStores().reviews, ({ reviews }) => reviews.get(path));
}

/** Returns whether the open review of a file is about the conflicts of a merge. */
export function useIsMerge(path: string): boolean {
  return useStore(useStores().reviews, ({ reviews }) => reviews.get(path)?.source === 'merge');
}

/** Returns the mark of a node, edge or trigger. Renders again only when that mark changes. */
export function useReviewMark(path: string, of: keyof ReviewMarks, name: string): ReviewMark | undefined {
  const found = useStore(useStores().reviews, ({ reviews }) => {
    const review = reviews.get(path);
    const mark = review === undefined ? undefined : marksOf(review)[of].get(name);
    return mark === undefined ? undefined : JSON.stringify(mark);
  });
  return found === undefined ? undefined : (JSON.parse(found) as ReviewMark);
}

/** Returns whether changes of a file are reviewed or can be. */
export function useHasReview(path: string): boolean {
  return useStore(useStores().reviews, ({ reviews, offers }) => reviews.has(path) || offers.has(path));
}
