import type { MessageView } from '../../engine/isomorphic.ts';
import { type ConversationState, runsByTurn } from '../stores/conversations/conversation.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { text } from './text.ts';

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
      title={text.takeBack.title}
      description={text.takeBack.description}
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
        {text.takeBack.turns({ count: turns.length })}{' '}
        {names.length === 0 ? text.takeBack.noRuns : text.takeBack.effects({ names: names.join(', ') })}
      </p>
      <footer className="roll-back-actions">
        <Button onClick={onClose}>{text.takeBack.cancel}</Button>
        <Button variant="primary" data-first-focus onClick={() => onRollBack(message)}>
          {text.takeBack.takeBack}
        </Button>
      </footer>
    </div>
  );
}
