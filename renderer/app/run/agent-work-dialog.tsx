/**
 * Asks before third-party code that an agent needs is installed.
 */
import { Download } from 'lucide-react';
import { useStore } from 'zustand';
import type { PendingWork } from '../../stores/agents/agent-actions.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { text } from './text.ts';
import './agent-work-dialog.css';

function Question({ work }: { work: PendingWork }) {
  const { agents, agentWork } = useStores();
  const { status, packRef: name, problem } = work;
  if (status === 'failed') {
    return (
      <>
        <p className="agent-work-text" role="alert" data-selectable>
          {text.agentWork.failed({ name, problem })}
        </p>
        <footer className="agent-work-actions">
          <Button onClick={() => agentWork.getState().close()}>{text.agentWork.close}</Button>
        </footer>
      </>
    );
  }
  const isWorking = status === 'working';
  return (
    <>
      <p className="agent-work-text" role="status">
        {isWorking ? text.agentWork.isWorking({ name }) : ''}
      </p>
      <footer className="agent-work-actions">
        <Button disabled={isWorking} onClick={() => void agents.cancelWork()}>
          {text.agentWork.cancel}
        </Button>
        <Button variant="primary" disabled={isWorking} onClick={() => void agents.confirmWork()}>
          <Download aria-hidden size={14} />
          {isWorking ? text.agentWork.working : text.agentWork.install}
        </Button>
      </footer>
    </>
  );
}

export function AgentWorkDialog() {
  const { agents, agentWork } = useStores();
  const work = useStore(agentWork, ({ pending }) => pending);
  return (
    <Dialog
      isOpen={work !== null}
      onClose={() => void agents.cancelWork()}
      title={text.agentWork.title({ name: work?.packRef ?? '' })}
      description={text.agentWork.about}
    >
      {work === null ? null : <Question work={work} />}
    </Dialog>
  );
}
