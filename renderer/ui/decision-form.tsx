import { Check, X } from 'lucide-react';
import { createContext, useContext, useState } from 'react';
import { Button } from './button.tsx';
import { TextInput } from './field.tsx';
import { text } from './text.ts';
import './decision-form.css';

const words = text.decision;

/** Whether requests cannot be answered here, because the window shows a sent run. */
export const AnswersClosed = createContext(false);

export type ApprovalDecision = 'approve' | 'reject';

interface DecisionButtonsProps {
  /** Name of the request for screen readers, because several pairs of buttons may be visible. */
  readonly subject: string;
  /** Set if the pair applies to several requests: `all`, or their number. */
  readonly scope?: string;
  readonly isDisabled: boolean;
  readonly onDecide: (decision: ApprovalDecision) => void;
}

function approveText(scope: string | undefined): string {
  if (scope === undefined) return words.approve;
  return scope === 'all' ? words.approveAll : words.approveSome({ scope });
}

function rejectText(scope: string | undefined): string {
  if (scope === undefined) return words.reject;
  return scope === 'all' ? words.rejectAll : words.rejectSome({ scope });
}

/** The approve and reject buttons. */
export function DecisionButtons({ subject, scope, isDisabled, onDecide }: DecisionButtonsProps) {
  const approve = approveText(scope);
  const reject = rejectText(scope);
  if (useContext(AnswersClosed)) return null;
  return (
    <span className="decision-buttons">
      <Button
        size="small"
        disabled={isDisabled}
        aria-label={words.labelOf({ label: reject, subject })}
        onClick={() => onDecide('reject')}
      >
        <X aria-hidden size={13} />
        {reject}
      </Button>
      <Button
        size="small"
        variant="primary"
        disabled={isDisabled}
        aria-label={words.labelOf({ label: approve, subject })}
        onClick={() => onDecide('approve')}
      >
        <Check aria-hidden size={13} />
        {approve}
      </Button>
    </span>
  );
}

interface DecisionFormProps extends Omit<DecisionButtonsProps, 'onDecide'> {
  /** Resolves when the answer was accepted or rejected. The buttons are disabled until then. */
  readonly onDecide: (decision: ApprovalDecision, comment: string) => Promise<unknown>;
}

/** Says why a request cannot be answered. */
export function ClosedAnswer() {
  return <p className="decision-closed">{words.closed}</p>;
}

/** The approve and reject buttons with a comment field. Enter in the comment does not submit. */
export function DecisionForm({ subject, scope, isDisabled, onDecide }: DecisionFormProps) {
  const [comment, setComment] = useState('');
  const [isAsking, setIsAsking] = useState(false);
  const isClosed = useContext(AnswersClosed);
  const decide = (decision: ApprovalDecision): void => {
    setIsAsking(true);
    void onDecide(decision, comment).finally(() => setIsAsking(false));
  };
  if (isClosed) return <ClosedAnswer />;
  return (
    <div className="decision-form">
      <TextInput
        aria-label={words.commentOn({ subject })}
        placeholder={words.comment}
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
