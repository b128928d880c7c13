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
import '../../ui/text-dialog.css';
import { text } from './text.ts';

const words = text.written;

function hintOf({ before, decides }: WrittenFile): string {
  const former = before === null ? words.noFileBefore : before === undefined ? words.unknownBefore : words.before;
  return decides === undefined
    ? [words.wrote, former, words.notTrusted].join(' ')
    : [words.wroteDecides({ decides }), former, words.notLoaded].join(' ');
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
              label={words.diff({ path: reviewing.path })}
              isInline={isNarrow}
            />
          </div>
          <div className="text-dialog-actions">
            <Button onClick={close}>{words.notNow}</Button>
            <Button variant="primary" onClick={() => void accept(reviewing.path)}>
              {words.allow}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
