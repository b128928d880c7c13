/**
 * Asks before third-party code that an agent needs is installed.
 */
import { Download } from 'lucide-react';
import { useStore } from 'zustand';
import type { PendingWork } from '../../stores/agents/agent-actions.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import './agent-work-dialog.css';

function Question({ work }: { work: PendingWork }) {
  const { agents, agentWork } = useStores();
  const { status, packRef, problem } = work;
  if (status === 'failed') {
    return (
      <>
        <p className="agent-work-text" role="alert" data-selectable>
          {packRef} could not be installed: {problem}
        </p>
        <footer className="agent-work-actions">
          <Button onClick={() => agentWork.getState().close()}>Close</Button>
        </footer>
      </>
    );
  }
  const isWorking = status === 'working';
  return (
    <>
      <p className="agent-work-text" role="status">
        {isWorking ? `Installing ${packRef}… The agent runs as soon as it is there.` : ''}
      </p>
      <footer className="agent-work-actions">
        <Button disabled={isWorking} onClick={() => void agents.cancelWork()}>
          Cancel
        </Button>
        <Button variant="primary" disabled={isWorking} onClick={() => void agents.confirmWork()}>
          <Download aria-hidden size={14} />
          {isWorking ? 'Installing…' : 'Install'}
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
      title={`Install ${work?.packRef ?? ''}?`}
      description="The agent needs this pack, and it is not installed. A pack is code of somebody else: install it only if you trust where it comes from."
    >
      {work === null ? null : <Question work={work} />}
    </Dialog>
  );
}
