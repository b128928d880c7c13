/**
 * The panel beside the chat: the stack of flows, why the last one was chosen, the slots, and the steps so far.
 */
import { Play, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { FlowView, PlanView, Prediction, SessionId, SessionView, SlotView } from '../../engine/isomorphic.ts';
import type { ConversationState } from '../stores/conversations/conversation.ts';
import { useStores } from '../stores/stores-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { StateIcon } from '../ui/state-icon.tsx';
import { TabSet } from '../ui/tab-set.tsx';
import { flowAppearance, stepsOf, waitReasonText } from './conversation-words.ts';
import { PlanEntry } from './plan-entry.tsx';
import { Steps } from './steps.tsx';
import { text } from './text.ts';
import { useOpenRun } from './transcript.tsx';
import './stack-panel.css';

type PanelTab = 'stack' | 'why' | 'notes' | 'steps';

interface StackPanelProps {
  readonly sessionId: SessionId;
  readonly conversation: ConversationState;
}

export function StackPanel({ sessionId, conversation }: StackPanelProps) {
  const { conversations } = useStores();
  const [tab, setTab] = useState<PanelTab>('stack');
  const { at, events, lockedReason } = conversation;
  const view = at ?? conversation.view;
  const steps = useMemo(() => stepsOf(events), [events]);
  const lookAt = (seq: number | null): void => void conversations.getState().lookAt(sessionId, seq);
  const mayAct = at === null && lockedReason === null;
  return (
    <div className="stack-panel">
      <Steps steps={steps} at={at?.seq ?? null} onLookAt={lookAt} isList={false} />
      <TabSet<PanelTab>
        label={text.panel.tabs}
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'stack',
            text: text.panel.stack,
            count: view.stack.length === 0 ? undefined : view.stack.length,
            content: <Stack sessionId={sessionId} view={view} mayAct={mayAct} />,
          },
          { value: 'why', text: text.panel.why, content: <Why view={view} /> },
          {
            value: 'notes',
            text: text.panel.notes,
            count: view.scratchpad.length === 0 ? undefined : view.scratchpad.length,
            content: <Notes view={view} />,
          },
          {
            value: 'steps',
            text: text.panel.steps,
            content: <Steps steps={steps} at={at?.seq ?? null} onLookAt={lookAt} isList />,
          },
        ]}
      />
    </div>
  );
}

interface StackProps {
  readonly sessionId: SessionId;
  readonly view: SessionView;
  readonly mayAct: boolean;
}

function Stack({ sessionId, view, mayAct }: StackProps) {
  const { conversations } = useStores();
  const { stack, background, plans, prediction } = view;
  if (stack.length === 0 && background.length === 0) {
    return <p className="stack-empty">{prediction === null ? text.panel.nothingYet : text.panel.nothing}</p>;
  }
  return (
    <>
      <ol className="stack-list" aria-label={text.panel.stackOfFlows}>
        {stack.map((flow) => (
          <FlowEntry
            key={flow.flowId}
            flow={flow}
            view={view}
            plan={plans.find(({ planId }) => planId === flow.flowId)}
            onDrop={mayAct ? () => void conversations.getState().drop(sessionId, flow.flowId) : null}
          />
        ))}
      </ol>
      {background.length === 0 ? null : (
        <>
          <h3 className="stack-heading">{text.panel.background}</h3>
          <ul className="stack-list" aria-label={text.panel.backgroundFlows}>
            {background.map((flow) => (
              <FlowEntry key={flow.flowId} flow={flow} view={view} plan={undefined} onDrop={null} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

interface FlowEntryProps {
  readonly flow: FlowView;
  readonly view: SessionView;
  readonly plan: PlanView | undefined;
  /** Drops the flow. Null if it cannot be dropped. */
  readonly onDrop: (() => void) | null;
}

function FlowEntry({ flow, view, plan, onDrop }: FlowEntryProps) {
  const openRun = useOpenRun();
  const { flowName, runId, slots, stage, dependsOn, planId, status } = flow;
  const look = flowAppearance(flow);
  const waits = waitReasonText(flow, view);
  const needed = view.background.filter((other) => dependsOn.includes(other.flowId)).map((other) => other.flowName);
  const notes = [
    ...(waits === '' ? [] : [waits]),
    ...(needed.length === 0 ? [] : [text.panel.after({ names: needed.join(', ') })]),
    ...(stage === '' ? [] : [stage]),
  ];
  return (
    <li className="stack-flow" data-status={status} data-part={planId !== null || undefined}>
      <div className="stack-flow-head">
        <StateIcon state={look.state} isDecorative />
        <span className="stack-flow-name" title={flowName}>
          {flowName}
        </span>
        <span className="stack-flow-state" data-state={look.state}>
          {look.words}
        </span>
        {runId === null ? null : (
          <IconButton label={text.chat.showRun({ name: flowName })} onClick={() => void openRun(runId)}>
            <Play aria-hidden size={12} />
          </IconButton>
        )}
        {onDrop === null ? null : (
          <IconButton label={text.panel.cancelFlow({ name: flowName })} onClick={onDrop}>
            <X aria-hidden size={13} />
          </IconButton>
        )}
      </div>
      {notes.length === 0 ? null : <p className="stack-flow-notes">{notes.join(' · ')}</p>}
      {plan === undefined ? null : <PlanEntry plan={plan} />}
      <SlotValues slots={slots} />
    </li>
  );
}

function SlotValues({ slots }: { readonly slots: readonly SlotView[] }) {
  const shown = slots.filter(({ value, isMissing }) => value !== null || isMissing);
  if (shown.length === 0) return null;
  return (
    <dl className="slot-values">
      {shown.map(({ name, value, isMissing, isFilled }) => {
        const words = value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
        return (
          <div key={name}>
            <dt title={name}>{name}</dt>
            <dd title={words} data-missing={isMissing && value === null}>
              {value === null ? text.slots.missing : isFilled ? words : text.slots.partial({ value: words })}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Why the last flow was chosen: the text, all candidates with their scores, and any ambiguity. */
function Why({ view: { prediction, ambiguity, summary } }: { readonly view: SessionView }) {
  return (
    <div className="stack-why">
      {ambiguity === null ? null : (
        <section aria-label={text.panel.ambiguity}>
          <h3 className="stack-heading">{text.panel.ambiguous({ level: text.ambiguityLevels[ambiguity.level] })}</h3>
          <p data-selectable>{ambiguity.question}</p>
        </section>
      )}
      {prediction === null ? <p className="stack-empty">{text.panel.whyHint}</p> : <Chosen prediction={prediction} />}
      {summary === '' ? null : (
        <section aria-label={text.panel.summary}>
          <h3 className="stack-heading">{text.panel.soFar}</h3>
          <p data-selectable>{summary}</p>
        </section>
      )}
    </div>
  );
}

function Chosen({
  prediction: { text: said, flow, intent, confidence, candidates, mode, act },
}: {
  readonly prediction: Prediction;
}) {
  const all =
    candidates.some((candidate) => candidate.flow === flow) || flow === null
      ? candidates
      : [{ flow, score: confidence }, ...candidates];
  return (
    <section aria-label={text.panel.chosenFlow}>
      <h3 className="stack-heading">
        {text.panel.chosen[mode]}
        <span>{text.panel.confidence({ percent: Math.round(confidence * 100) })}</span>
      </h3>
      {said === '' ? null : (
        <blockquote className="stack-quote" data-selectable>
          {said}
        </blockquote>
      )}
      <ol className="stack-candidates">
        {all.map((candidate) => (
          <li key={candidate.flow} data-chosen={candidate.flow === flow}>
            <span className="stack-candidate-name" title={candidate.flow}>
              {candidate.flow}
            </span>
            <span aria-hidden className="stack-candidate-bar">
              <span style={{ width: `${Math.round(Math.min(1, Math.max(0, candidate.score)) * 100)}%` }} />
            </span>
            <span className="stack-candidate-score">{candidate.score.toFixed(2)}</span>
          </li>
        ))}
      </ol>
      {act === undefined ? null : <p className="stack-empty">{text.panel.understoodAs({ act: text.acts[act] })}</p>}
      {intent === null ? null : <p className="stack-empty">{text.panel.intent({ name: intent })}</p>}
    </section>
  );
}

function Notes({ view: { scratchpad } }: { readonly view: SessionView }) {
  if (scratchpad.length === 0) return <p className="stack-empty">{text.panel.notesHint}</p>;
  return (
    <>
      <p className="stack-empty">{text.panel.noteCount({ count: scratchpad.length })}</p>
      <ul className="stack-notes">
        {scratchpad.map(({ id, text: note, flowName }) => (
          <li key={id} data-selectable>
            {note} <span className="stack-note-flow">{flowName}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
