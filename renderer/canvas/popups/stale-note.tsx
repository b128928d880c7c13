import { TriangleAlert } from 'lucide-react';
import { useStores } from '../../stores/stores-context.tsx';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import './stale-note.css';

/** Over a canvas whose text cannot be read any more: what is wrong, and the way there. */
export function StaleNote({ flow: { path, diagnostics } }: { readonly flow: SettledFlow }) {
  const { selection } = useStores();
  const problem = diagnostics.find(({ severity }) => severity === 'error');
  if (problem === undefined) return null;
  const { line, column } = problem.range;
  return (
    <div className="stale-note nopan" role="status">
      <TriangleAlert aria-hidden size={14} />
      <span>
        Line {line}: {problem.message}
      </span>
      <Button size="small" onClick={() => selection.getState().revealText(path, { line, column })}>
        Go to line {line}
      </Button>
    </div>
  );
}
