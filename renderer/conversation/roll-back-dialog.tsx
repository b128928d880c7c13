import type { MessageView } from '../../engine/isomorphic.ts';
import { type ConversationState, runsByTurn } from '../stores/conversations/conversation.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { pluralText } from '../ui/quantity-text.ts';

interface RollBackDialogProps {
  /** The message of the turn to roll back, together with all later turns. Null if there is none. */
  readonly message: MessageView | null;
  readonly conversation: ConversationState;
  readonly onClose: () => void;
  readonly onRollBack: (message: MessageView) => void;
}

/** Asks before turns are rolled back: what will be removed, and that external effects remain. */
export function RollBackDialog({ message, conversation, onClose, onRollBack }: RollBackDialogProps) {
  return (
    <Dialog
      isOpen={message !== null}
      onClose={onClose}
      title="Take back"
      description="What was said then can be said in other words. Answers that people have given are asked for again."
    >
      {message === null ? null : (
        <RollBackForm message={message} conversation={conversation} onClose={onClose} onRollBack={onRollBack} />
      )}
    </Dialog>
  );
}

function RollBackForm({ message, conversation, onClose, onRollBack }: RollBackDialogProps & { message: MessageView }) {
  const turns = conversation.messages.filter(({ from, seq, turnId }) => {
    return from === 'user' && turnId !== undefined && seq >= message.seq;
  });
  const byTurn = runsByTurn(conversation.events);
  const runs = turns.flatMap(({ turnId = '' }) => byTurn.get(turnId) ?? []);
  const names = [...new Set(runs.map(({ flowName }) => flowName))];
  return (
    <div className="roll-back">
      <p>
        {pluralText(turns.length, 'turn')} {turns.length === 1 ? 'goes' : 'go'}.{' '}
        {names.length === 0
          ? 'Nothing has run in it.'
          : `What ${names.join(', ')} did outside, such as a call of a tool, stays done, and is listed behind it.`}
      </p>
      <footer className="roll-back-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" data-first-focus onClick={() => onRollBack(message)}>
          Take back
        </Button>
      </footer>
    </div>
  );
}
