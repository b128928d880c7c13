/**
 * The answer buttons at the bottom of a card that waits for an answer.
 */
import { hasDetails } from '../stores/runs/requests/ask-answers.ts';
import { useStores } from '../stores/stores-context.tsx';
import { useIsPast, useShownRunPart } from '../stores/use-flow.ts';
import { Button } from '../ui/button.tsx';
import { DecisionButtons } from '../ui/decision-form.tsx';
import { text } from './text.ts';
import './card-answer.css';

interface CardAnswerProps {
  readonly path: string;
  readonly title: string;
  /** For a node in a loop, a label of the item that the answer is for. Otherwise empty. */
  readonly item: string;
  /** Path of the node in the run. */
  readonly place: string;
}

/** A sibling of the card, because the card itself is a button. */
export function CardAnswer({ path, title, item, place }: CardAnswerProps) {
  const { runs, selection } = useStores();
  const runId = useShownRunPart(path, (run) => run.runId);
  const isSuspended = useShownRunPart(path, ({ state }) => state.status === 'suspended') ?? false;
  const asks = useShownRunPart(path, ({ state }) => state.nodes.get(place)?.asks) ?? [];
  const isPast = useIsPast(path);
  if (runId === undefined || isPast) return null;
  const [first, ...others] = asks.filter(({ answer }) => answer === undefined);
  // The inspector shows the form for values, the list of several questions, and all details of an approval.
  const isInput = first?.request.kind === 'input';
  const needsForm = others.length > 0 || isInput || (first !== undefined && hasDetails(first.request));
  const { answer, answerLabel, review, reviewLabel } = text.answer;
  const [verb, label] = isInput || others.length > 0 ? [answer, answerLabel] : [review, reviewLabel];
  const key = first === undefined ? {} : { key: first.key };
  const subject = item === '' ? title : `${title}, ${item}`;
  return (
    <div className="card-answer nopan">
      <span className="card-answer-item" title={item}>
        {item}
      </span>
      {needsForm ? (
        <Button
          size="small"
          aria-label={label({ subject })}
          onClick={() => selection.getState().selectPlace(path, place)}
        >
          {verb}
        </Button>
      ) : (
        <DecisionButtons
          subject={subject}
          isDisabled={!isSuspended && first === undefined}
          onDecide={(decision) => void runs.answer(runId, { decision, comment: '', nodeId: place, ...key })}
        />
      )}
    </div>
  );
}
