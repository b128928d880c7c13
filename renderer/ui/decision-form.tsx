import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from './button.tsx';
import { TextInput } from './field.tsx';
import './decision-form.css';

export type Decision = 'approve' | 'reject';

interface DecisionButtonsProps {
  /** What is decided, for screen readers: several such pairs may be in view. */
  readonly subject: string;
  /** Added to the words where the pair stands for more than one, for example `all`. */
  readonly scope?: string;
  readonly isDisabled: boolean;
  readonly onDecide: (decision: Decision) => void;
}

/** The two answers that a person can give. */
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
  /** Resolves when the answer was taken or refused; until then nothing can be pressed. */
  readonly onDecide: (decision: Decision, comment: string) => Promise<unknown>;
}

/** The answers with room for a comment. Enter in the comment decides nothing. */
export function DecisionForm({ subject, scope, isDisabled, onDecide }: DecisionFormProps) {
  const [comment, setComment] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const decide = (decision: Decision): void => {
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
