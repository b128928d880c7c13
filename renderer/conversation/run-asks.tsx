/**
 * The requests of a flow's run in the conversation, with the same forms and answers as in the inspector.
 */
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';
import { asRunId, waitingRequests } from '../../engine/isomorphic.ts';
import { AskForm } from '../inspector/run/ask-form.tsx';
import { useStores } from '../stores/stores-context.tsx';
import { DecisionForm } from '../ui/decision-form.tsx';
import { text } from './text.ts';

interface RunAsksProps {
  readonly runId: string;
  readonly flowName: string;
}

export function RunAsks({ runId, flowName }: RunAsksProps) {
  const { conversations, liveRuns, runs } = useStores();
  const run = useStore(liveRuns, (state) => state.runs.get(runId));
  const isKnown = run !== undefined && run.state.seq >= 0;
  useEffect(() => {
    if (!isKnown) void conversations.getState().learnRun(runId);
  }, [conversations, isKnown, runId]);
  const requests = useMemo(() => (run === undefined ? [] : waitingRequests(run.state)), [run]);
  return (
    <>
      {requests.map(({ name, ask, request }) =>
        ask !== undefined ? (
          <AskForm key={`${name} ${ask.key}`} runId={asRunId(runId)} nodeId={name} ask={ask} />
        ) : request?.reason !== 'operator' ? null : (
          <section key={name} className="ask" aria-label={text.chat.request({ flow: flowName, name })}>
            <p className="ask-message">{request.message}</p>
            <DecisionForm
              subject={text.chat.requestOf({ flow: flowName, name })}
              isDisabled={false}
              onDecide={(decision, comment) => runs.answer(asRunId(runId), { decision, comment, nodeId: name })}
            />
          </section>
        ),
      )}
    </>
  );
}
