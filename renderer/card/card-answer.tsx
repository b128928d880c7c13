import { useStores } from '../stores/stores-context.tsx';
import { useShownRunPart } from '../stores/use-flow.ts';
import { DecisionButtons } from '../ui/decision-form.tsx';
import './card-answer.css';

export interface CardAnswerProps {
  readonly path: string;
  readonly title: string;
  /** Of the node, in the run. */
  readonly place: string;
}

/** The answers at the foot of a card that waits. Beside the card, not in it: the card is a button itself. */
export function CardAnswer({ path, title, place }: CardAnswerProps) {
  const { runs } = useStores();
  const runId = useShownRunPart(path, (run) => run.runId);
  const isSuspended = useShownRunPart(path, ({ state }) => state.status === 'suspended') ?? false;
  if (runId === undefined) return null;
  return (
    <div className="card-answer nopan">
      <DecisionButtons
        subject={title}
        isDisabled={!isSuspended}
        onDecide={(decision) => void runs.answer(runId, { decision, comment: '', nodeId: place })}
      />
    </div>
  );
}
