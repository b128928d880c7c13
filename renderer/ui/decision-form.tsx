import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { TextInput } from './field.tsx';
import './decision-form.css';

export type ApprovalDecision = 'approve' | 'reject';

interface DecisionButtonsProps {
  /** Name of the request for screen readers, because several pairs of buttons may be visible. */
  readonly subject: string;
  /** Added to the labels if the pair applies to several requests, for example `all`. */
  readonly scope?: string;
  readonly isDisabled: boolean;
  readonly onDecide: (decision: ApprovalDecision) => void;
}

/** The approve and reject buttons. */
export function DecisionButtons({ subject, scope, isDisabled, onDecide }: DecisionButtonsProps) {
  const words = (verb: string): string => (scope === undefined ? verb : `${verb} ${scope}`);
  return (
    <span className="decision-buttons">
      <Button
        size="small"
        disabled={isDisabled}
        aria-label={`${words('Reject')}: ${subject}`}
        onClick={() => onDecide('reject')}
      >
        <X aria-hidden size={13} />
        {words('Reject')}
      </Button>
      <Button
        size="small"
        variant="primary"
        disabled={isDisabled}
        aria-label={`${words('Approve')}: ${subject}`}
        onClick={() => onDecide('approve')}
      >
        <Check aria-hidden size={13} />
        {words('Approve')}
      </Button>
    </span>
  );
}

interface DecisionFormProps extends Omit<DecisionButtonsProps, 'onDecide'> {
  /** Resolves when the answer was accepted or rejected. The buttons are disabled until then. */
  readonly onDecide: (decision: ApprovalDecision, comment: string) => Promise<unknown>;
}

/** The approve and reject buttons with a comment field. Enter in the comment does not submit. */
export function DecisionForm({ subject, scope, isDisabled, onDecide }: DecisionFormProps) {
  const [comment, setComment] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const decide = (decision: ApprovalDecision): void => {
    setIsAsking(true);
    void onDecide(decision, comment).finally(() => setIsAsking(false));
  };
  return (
    <div className="decision-form">
      <TextInput
        aria-label={`Comment: ${subject}`}
        placeholder="Comment"
        value={comment}
        onChange={(event) => setComment(event.target.value)}
      />
      <DecisionButtons
        subject={subject}
        {...(scope === undefined ? {} : { scope })}
        isDisabled={isDisabled || isAsking}
        onDecide={decide}
      />
    </div>
  );
}
