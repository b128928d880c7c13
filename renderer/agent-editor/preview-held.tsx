/**
 * What stands in the preview of an agent while none is made by itself, because its workspace is not trusted.
 */
import { ShieldQuestion } from 'lucide-react';
import { useStores } from '../stores/stores-context.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

interface PreviewHeldProps {
  /** Null = there is no input that a preview could be of; the field of the input says why. */
  readonly onRender: (() => void) | null;
  /** There is a preview, of an earlier text or another input. */
  readonly isBeside: boolean;
}

export function PreviewHeld({ onRender, isBeside }: PreviewHeldProps) {
  const { preferences } = useStores();
  if (isBeside) {
    return (
      <div className="preview-held">
        <span>The text or the input has changed since.</span>
        <Button size="small" onClick={onRender ?? undefined} disabled={onRender === null}>
          Render preview
        </Button>
      </div>
    );
  }
  return (
    <EmptyState
      icon={<ShieldQuestion aria-hidden size={20} />}
      title="Not rendered by itself"
      actions={
        <>
          <Button variant="primary" onClick={onRender ?? undefined} disabled={onRender === null}>
            Render preview
          </Button>
          <Button variant="ghost" onClick={() => preferences.getState().open('trust')}>
            Trust settings…
          </Button>
        </>
      }
    >
      A preview runs the scripts Before All and Data. You do not trust this workspace, so they run only when you ask,
      and then they can read the workspace, but change, send and start nothing.
    </EmptyState>
  );
}
