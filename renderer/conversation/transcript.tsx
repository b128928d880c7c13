/**
 * The messages, with the runs of each turn, the reply being streamed, and the requests to the user.
 */
import { Ban, CircleCheck, CircleX, Hand, Pause, Play, Undo2 } from 'lucide-react';
import { lazy, Suspense, useLayoutEffect, useMemo, useRef } from 'react';
import { asRunId, type MessageView, type SessionId } from '../../engine/isomorphic.ts';
import {
  type ConversationState,
  lastRollback,
  rejectedSlots,
  runsByTurn,
  type TurnRun,
} from '../stores/conversations/conversation.ts';
import { useStores } from '../stores/stores-context.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { clockText, fullDateTimeText } from '../ui/quantity-text.ts';
import { isConversationStalled, wordsOf } from './conversation-words.ts';
import { RunAsks } from './run-asks.tsx';
import { SlotForm } from './slot-form.tsx';
import { text } from './text.ts';
import './transcript.css';

const MarkdownText = lazy(() => import('../ui/markdown-text.tsx').then((loaded) => ({ default: loaded.MarkdownText })));

interface TranscriptProps {
  readonly sessionId: SessionId;
  readonly conversation: ConversationState;
  /** Rolls back the turn of a message, so that it can be rephrased. */
  readonly onRollBack: (message: MessageView) => void;
}

export function Transcript({ sessionId, conversation, onRollBack }: TranscriptProps) {
  const { conversations } = useStores();
  const { view, messages, events, draft, hasAllMessages, lockedReason } = conversation;
  const { scroller, column } = useFollowedEnd();
  const runs = useMemo(() => runsByTurn(events), [events]);
  // Messages that wait for their turn are shown in the queue.
  const shown = messages.filter(({ turnId, from }) => turnId !== undefined || from === 'assistant');
  const isFirstPage = !hasAllMessages && (messages[0]?.seq ?? 0) > 2;
  return (
    <div ref={scroller} className="transcript">
      <div ref={column} className="transcript-column">
        {isFirstPage ? (
          <Button
            size="small"
            className="transcript-older"
            onClick={() => void conversations.getState().readOlder(sessionId)}
          >
            {text.chat.older}
          </Button>
        ) : null}
        <div role="log" aria-label={text.list.label}>
          <ol className="transcript-messages">
            {shown.map((message) => (
              <li key={message.seq} className="message" data-from={message.from}>
                <Said
                  message={message}
                  onRollBack={lockedReason === null && view.turnId === null ? () => onRollBack(message) : null}
                />
                {message.from === 'user' ? <TurnRuns runs={runs.get(message.turnId ?? '') ?? []} /> : null}
              </li>
            ))}
            {view.turnId === null && draft === null ? null : (
              <li className="message" data-from="assistant" data-draft>
                {draft === null || draft.text === '' ? (
                  <p className="message-thinking">…</p>
                ) : (
                  <p className="message-text">{draft.text}</p>
                )}
              </li>
            )}
            {view.queue.map((queued) => (
              <li key={queued.messageId} className="message" data-from="user" data-queued>
                <p className="message-text">{wordsOf(queued)}</p>
                <p className="message-facts">{text.chat.queued}</p>
              </li>
            ))}
          </ol>
        </div>
        <RolledBack conversation={conversation} />
        <Asked sessionId={sessionId} conversation={conversation} />
      </div>
    </div>
  );
}

/** Keeps the end in view as the content grows, unless the user has scrolled away from it. */
function useFollowedEnd() {
  const scroller = useRef<HTMLDivElement>(null);
  const column = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const [element, content] = [scroller.current, column.current];
    if (element === null || content === null) return;
    let isAtEnd = true;
    const follow = (): void => {
      isAtEnd = element.scrollTop + element.clientHeight >= element.scrollHeight - 40;
    };
    const observer = new ResizeObserver(() => {
      if (isAtEnd) element.scrollTop = element.scrollHeight;
    });
    observer.observe(content);
    observer.observe(element);
    element.addEventListener('scroll', follow, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', follow);
    };
  }, []);
  return { scroller, column };
}

function Said({ message, onRollBack }: { readonly message: MessageView; readonly onRollBack: (() => void) | null }) {
  const { from, at } = message;
  const words = wordsOf(message);
  const isForm = message.text === '' && message.action !== undefined;
  if (from === 'assistant') {
    return (
      <Suspense fallback={<p className="message-text">{words}</p>}>
        <MarkdownText text={words} />
      </Suspense>
    );
  }
  return (
    <>
      <p className="message-text" data-form={isForm || undefined} data-selectable>
        {words}
      </p>
      <p className="message-facts">
        {onRollBack === null ? null : (
          <IconButton label={text.takeBack.label} onClick={onRollBack}>
            <Undo2 aria-hidden size={13} />
          </IconButton>
        )}
        <time dateTime={new Date(at).toISOString()} title={fullDateTimeText(at)}>
          {clockText(at)}
        </time>
      </p>
    </>
  );
}

const waitsIcon = <Hand aria-hidden className="turn-run-waits" size={13} />;
const outcomeIcons = {
  completed: <CircleCheck aria-hidden className="turn-run-ok" size={13} />,
  invalid: <CircleX aria-hidden className="turn-run-fail" size={13} />,
  replaced: <Ban aria-hidden size={13} />,
  cancelled: <Ban aria-hidden size={13} />,
  open: <Play aria-hidden size={11} />,
  approval: waitsIcon,
  user_input: waitsIcon,
  pause: <Pause aria-hidden size={11} />,
} as const;

/** The runs started by a turn, each with a link to its canvas. */
function TurnRuns({ runs }: { readonly runs: readonly TurnRun[] }) {
  const openRun = useOpenRun();
  if (runs.length === 0) return null;
  return (
    <ul className="turn-runs" aria-label={text.chat.runs}>
      {runs.map(({ runId, flowName, outcome }) => (
        <li key={runId}>
          <button
            type="button"
            className="turn-run"
            title={text.chat.showRun({ name: flowName })}
            onClick={() => void openRun(runId)}
          >
            {outcomeIcons[outcome]}
            <span className="turn-run-name">{flowName}</span>
            <span className="turn-run-words">{text.chat.outcomes[outcome]}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Returns a function that opens the run of a flow over its file. */
export function useOpenRun(): (runId: string) => Promise<void> {
  const { engine, runs, selection, notices } = useStores();
  return async (runId) => {
    try {
      const { sourcePath, kind } = await engine.call('getRun', asRunId(runId));
      selection.getState().setMode(sourcePath, 'canvas');
      selection.getState().selectNode(sourcePath, null);
      await runs.openRun(sourcePath, asRunId(runId), kind);
    } catch (error) {
      notices.getState().addError(text.chat.runFailedToOpen, error);
    }
  };
}

/** External effects that a rollback has not undone. Shown until the next message. */
function RolledBack({ conversation }: { readonly conversation: ConversationState }) {
  const rollback = lastRollback(conversation.events);
  const openRun = useOpenRun();
  if (rollback === undefined || rollback.effects.length === 0) return null;
  return (
    <section className="rolled-back" aria-label={text.takeBack.remaining}>
      <p>{text.takeBack.remainingHint}</p>
      <ul>
        {rollback.effects.map(({ runId, tool, target }) => (
          <li key={`${runId} ${tool} ${target}`}>
            <button type="button" className="rolled-back-run" onClick={() => void openRun(runId)}>
              {tool}
            </button>
            <span title={target}>{target}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Missing slots and requests of runs. */
function Asked({ sessionId, conversation }: Pick<TranscriptProps, 'sessionId' | 'conversation'>) {
  const { conversations } = useStores();
  const { view, events, lockedReason } = conversation;
  const rejected = useMemo(
    () => new Map(view.stack.map(({ flowId }) => [flowId, rejectedSlots(events, flowId)])),
    [view.stack, events],
  );
  const [top] = view.stack;
  const problems = top === undefined ? {} : (rejected.get(top.flowId) ?? {});
  const needsValues =
    top !== undefined &&
    top.waitsFor === null &&
    (top.slots.some(({ isMissing }) => isMissing) || Object.keys(problems).length > 0);
  return (
    <>
      {view.stack.map(({ flowId, flowName, runId, waitsFor }) =>
        runId === null || waitsFor === null ? null : <RunAsks key={flowId} runId={runId} flowName={flowName} />,
      )}
      {needsValues && view.turnId === null ? (
        <SlotForm
          key={top.flowId}
          flow={top}
          rejected={problems}
          isDisabled={lockedReason !== null}
          onFill={(slots) => conversations.getState().fill(sessionId, top.flowId, slots)}
        />
      ) : null}
      {isConversationStalled(view) && lockedReason === null ? (
        <Button
          size="small"
          className="transcript-go-on"
          onClick={() => void conversations.getState().proceed(sessionId)}
        >
          <Play aria-hidden size={11} />
          {text.chat.continue}
        </Button>
      ) : null}
    </>
  );
}
