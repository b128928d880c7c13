/**
 * People's answers to a node: who answered what, when, and after how long. Read from the log, so they are available as
 * long as the run is.
 */
import { type Ask, isJsonMap, type JsonValue } from '../../../engine/isomorphic.ts';
import { answerWords, commentOf } from '../../stores/runs/requests/answer-words.ts';
import { isSecretField } from '../../stores/runs/requests/ask-answers.ts';
import { useReadValue } from '../../stores/stores-context.tsx';
import { fullDateTimeText, waitText } from '../../ui/quantity-text.ts';
import { withParts } from '../../ui/with-parts.tsx';
import { ValueView } from '../values/value-view.tsx';
import { text } from './text.ts';
import '../answers.css';

const hidden = '••••••';

/** Returns the values that were entered or edited, without secrets. Undefined if there are none. */
function enteredIn({ request, answer }: Ask): JsonValue | undefined {
  const entered = answer?.payload[request.kind === 'input' ? 'values' : 'params'];
  if (!isJsonMap(entered)) return entered;
  return Object.fromEntries(
    Object.entries(entered).map(([key, value]) => [key, isSecretField(request, key) ? hidden : value]),
  );
}

function AnswerOf({ ask }: { readonly ask: Ask }) {
  const readLarge = useReadValue();
  const { request, askedAt, answer } = ask;
  if (answer === undefined) return null;
  const comment = commentOf(answer.payload);
  const entered = enteredIn(ask);
  const words = answerWords(request.kind, answer);
  return (
    <li className="answer" data-selectable>
      <b className="answer-title">{request.title}</b>
      <p className="answer-facts">
        {withParts(text.answers.facts, {
          answer: words.charAt(0).toUpperCase() + words.slice(1),
          time: <time dateTime={new Date(answer.at).toISOString()}>{fullDateTimeText(answer.at)}</time>,
          wait: waitText(Math.max(0, answer.at - askedAt)),
        })}
      </p>
      {comment === '' ? null : <blockquote className="answer-comment">{comment}</blockquote>}
      {entered === undefined ? null : (
        <ValueView
          label={request.kind === 'input' ? text.answers.entered : text.answers.approved}
          value={entered}
          readLarge={readLarge}
        />
      )}
    </li>
  );
}

/** All answers that the node received in the run. Renders nothing if there are none. */
export function Answers({ asks = [] }: { readonly asks: readonly Ask[] | undefined }) {
  const answered = asks.filter(({ answer }) => answer !== undefined);
  if (answered.length === 0) return null;
  return (
    <section className="inspector-group" aria-label={text.answers.label}>
      <h3 className="inspector-heading">{text.answers.heading({ count: answered.length })}</h3>
      <ul className="answers">
        {answered.map((ask) => (
          <AnswerOf key={`${ask.key} ${ask.requestHash}`} ask={ask} />
        ))}
      </ul>
    </section>
  );
}
