/**
 * Marks a card that a review adds, removes or changes, with the buttons to decide about it.
 */
import { memo } from 'react';
import type { ReviewMark } from '../stores/review/review-marks.ts';
import { useIsMerge } from '../stores/use-review.ts';
import { ChangeMark } from './change-mark.tsx';
import { DecisionButtons } from './decision-buttons.tsx';
import { text } from './text.ts';
import './card-review.css';

interface CardReviewProps {
  readonly path: string;
  readonly nodeId: string;
  readonly mark: ReviewMark;
}

export const CardReview = memo(function CardReview({ path, nodeId, mark: { kind, keys, verdict } }: CardReviewProps) {
  const isMerge = useIsMerge(path);
  return (
    <div className="card-review" data-mark={kind} data-verdict={verdict}>
      <ChangeMark kind={kind} />
      <span className="card-review-tools nodrag nopan">
        <span className="card-review-kind">{isMerge ? text.review.conflict : text.review[kind]}</span>
        <DecisionButtons path={path} keys={keys} verdict={verdict} subject={nodeId} />
      </span>
    </div>
  );
});
