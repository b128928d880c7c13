/**
 * What a review changes about a node, field by field.
 */

import type { FlowDifference } from '../../engine/isomorphic.ts';
import { DecisionButtons } from '../card/decision-buttons.tsx';
import { text as cardText } from '../card/text.ts';
import { type Review, verdictOf } from '../stores/review/review.ts';
import { marksOf } from '../stores/review/review-marks.ts';
import { useReview } from '../stores/use-review.ts';
import { text as runText } from './run/text.ts';
import { changeText, ValueChange } from './run/value-change.tsx';
import { text } from './text.ts';
import './review-tab.css';

/** Returns the review of a file with the differences of a node, or null if there are none. */
export function useNodeReview(
  path: string,
  nodeId: string,
): { readonly review: Review; readonly differences: readonly FlowDifference[] } | null {
  const review = useReview(path);
  const keys = review === undefined ? undefined : marksOf(review).nodes.get(nodeId)?.keys;
  if (review === undefined || keys === undefined) return null;
  return { review, differences: review.differences.filter(({ key }) => keys.includes(key)) };
}

export function ReviewTab({ review, differences }: NonNullable<ReturnType<typeof useNodeReview>>) {
  return (
    <div className="review-tab">
      {differences.map((difference) => (
        <Difference key={difference.key} review={review} difference={difference} />
      ))}
    </div>
  );
}

function Difference({ review, difference }: { review: Review; difference: FlowDifference }) {
  const { key, text: title, line, parts } = difference;
  const [main] = parts;
  const isMerge = review.source === 'merge';
  const sides = { before: cardText.review.yours, now: cardText.review.theirs };
  return (
    <section className="review-difference" aria-label={title}>
      <div className="review-difference-head">
        <h3>{title}</h3>
        <span className="review-difference-line">{text.node.line({ line })}</span>
        <DecisionButtons path={review.path} keys={[key]} verdict={verdictOf(review, key)} subject={title} />
      </div>
      {main?.what === 'node-changed' ? (
        <ValueChange
          change={{ field: '', before: changeText(main.before), now: changeText(main.after) }}
          titles={isMerge ? sides : { before: runText.comparison.before, now: text.node.after }}
        />
      ) : null}
    </section>
  );
}
