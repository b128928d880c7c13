/**
 * Shows what changed in a file that a run wrote, and asks the user to allow it.
 */
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { kindOfPath } from '../../stores/text/paths.ts';
import type { WrittenFile } from '../../stores/workspace/policies.ts';
import { TextDiff } from '../../text-view/text-diff.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { narrowWindow, useMediaQuery } from '../../ui/use-media-query.ts';
import './text-dialog.css';

function hintOf({ before, decides }: WrittenFile): string {
  const what = decides === undefined ? 'A run wrote this file.' : `A run wrote this file, which is ${decides}.`;
  const until =
    decides === undefined
      ? 'Until you allow it, it acts as in a workspace that is not trusted.'
      : 'Until you allow it, no run loads it.';
  if (before === null) return `${what} There was no file before. ${until}`;
  return `${what} ${before === undefined ? 'The text before the run is not known.' : 'The text before the run is on the left.'} ${until}`;
}

export function WrittenDialog() {
  const { policies } = useStores();
  const isNarrow = useMediaQuery(narrowWindow);
  const { reviewing, review, accept } = useStore(policies);
  const close = (): void => review(null);
  return (
    <Dialog
      title={reviewing?.path ?? ''}
      description={reviewing === null ? '' : hintOf(reviewing)}
      size="wide"
      isOpen={reviewing !== null}
      onClose={close}
    >
      {reviewing === null ? null : (
        <div className="text-dialog">
          <div className="text-dialog-diff">
            <TextDiff
              original={reviewing.before ?? ''}
              modified={reviewing.text}
              file={{ path: reviewing.path, kind: kindOfPath(reviewing.path) }}
              label={`${reviewing.path}, before and after the run`}
              isInline={isNarrow}
            />
          </div>
          <div className="text-dialog-actions">
            <Button onClick={close}>Not now</Button>
            <Button variant="primary" onClick={() => void accept(reviewing.path)}>
              Allow this text…
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
