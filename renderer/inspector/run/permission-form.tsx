/**
 * A node that waits for permissions: the list, and the button that opens the system dialog.
 */
import { Check, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { needText, type PermissionNeed, type RunId, toErrorRecord } from '../../../engine/isomorphic.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import '../ask-form.css';

interface PermissionFormProps {
  readonly runId: RunId;
  /** Full name of the node. */
  readonly nodeId: string;
  readonly needs: readonly PermissionNeed[];
}

export function PermissionForm({ runId, nodeId, needs }: PermissionFormProps) {
  const { main, runs } = useStores();
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const allow = async (): Promise<void> => {
    setIsAsking(true);
    setProblem(
      await main.call('permissions.allow', { runId, nodeId }).then(
        ({ isDone }) => (isDone ? null : 'Nothing was allowed. The run still waits.'),
        (thrown: unknown) => toErrorRecord(thrown).message,
      ),
    );
    setIsAsking(false);
  };
  return (
    <div className="ask-permission">
      <ul aria-label="Missing permissions" data-selectable>
        {needs.map((need) => {
          const text = needText(need);
          return (
            <li key={text}>
              <ShieldAlert aria-hidden size={14} />
              {text.charAt(0).toUpperCase() + text.slice(1)}
            </li>
          );
        })}
      </ul>
      {problem === null ? null : (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="ask-buttons">
        <Button disabled={isAsking} onClick={() => void runs.cancel(runId)}>
          Cancel run
        </Button>
        <Button variant="primary" disabled={isAsking} onClick={() => void allow()}>
          <Check aria-hidden size={13} />
          Allow…
        </Button>
      </div>
    </div>
  );
}
