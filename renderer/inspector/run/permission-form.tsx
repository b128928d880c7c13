/**
 * A node that waits for permissions: the list, and the button that opens the system dialog.
 */
import { Check, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { needText, type PermissionNeed, type RunId, toErrorRecord } from '../../../engine/isomorphic.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Button } from '../../ui/button.tsx';
import { text } from './text.ts';
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
        ({ isDone }) => (isDone ? null : text.permissions.nothingAllowed),
        (thrown: unknown) => toErrorRecord(thrown).message,
      ),
    );
    setIsAsking(false);
  };
  return (
    <div className="ask-permission">
      <ul aria-label={text.permissions.missing} data-selectable>
        {needs.map((need) => {
          const words = needText(need);
          return (
            <li key={words}>
              <ShieldAlert aria-hidden size={14} />
              {words.charAt(0).toUpperCase() + words.slice(1)}
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
          {text.permissions.cancelRun}
        </Button>
        <Button variant="primary" disabled={isAsking} onClick={() => void allow()}>
          <Check aria-hidden size={13} />
          {text.permissions.allow}
        </Button>
      </div>
    </div>
  );
}
