/**
 * Shown if the file changed on disk while it had unsaved edits: both versions side by side, merged where they do not
 * conflict.
 */
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import type { FileConflict, OpenFile } from '../../stores/text/file.ts';
import type { MergedText } from '../../stores/text/merge.ts';
import { TextDiff } from '../../text-view/text-diff.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { narrowWindow, useMediaQuery } from '../../ui/use-media-query.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import '../../ui/text-dialog.css';
import { text } from './text.ts';

const words = text.conflict;

interface ConflictChoiceProps {
  readonly flow: OpenFile;
  readonly diskText: string;
  readonly conflict: FileConflict;
  readonly onDone: () => void;
}

/** Merges once, when the dialog opens. After that, the user edits the result. */
function Choice(props: ConflictChoiceProps) {
  const { reviews } = useStores();
  const [{ flow, diskText, conflict }] = useState(props);
  const [merged, setMerged] = useState<MergedText | null>(null);
  useEffect(() => {
    const versions = { base: conflict.baseText ?? diskText, mine: flow.text, theirs: diskText };
    void reviews.getState().merge(versions, flow.kind).then(setMerged);
  }, [reviews, flow, diskText, conflict]);
  return merged === null ? null : <MergedChoice {...props} merged={merged} />;
}

function MergedChoice({ flow, diskText, merged, onDone }: ConflictChoiceProps & { readonly merged: MergedText }) {
  const { edits } = useStores();
  const isNarrow = useMediaQuery(narrowWindow);
  const { path } = flow;
  const [edited, setEdited] = useState(merged.text);
  const settle = (choice: 'mine' | 'theirs'): void => {
    edits.settle(path, choice);
    onDone();
  };
  return (
    <div className="text-dialog">
      <p className="text-dialog-hint">
        {merged.clashes === 0 ? words.noOverlap : words.overlap({ count: merged.clashes })}
      </p>
      <div className="text-dialog-diff">
        <TextDiff
          original={diskText}
          modified={merged.text}
          file={flow}
          label={words.diff({ path })}
          isInline={isNarrow}
          onModifiedChange={setEdited}
        />
      </div>
      <div className="text-dialog-actions">
        <Button onClick={() => settle('mine')}>{words.keepMine}</Button>
        <Button onClick={() => settle('theirs')}>{words.useDisk}</Button>
        <Button
          variant="primary"
          onClick={() => {
            edits.settle(path, 'mine');
            edits.replace(path, edited, words.undo);
            onDone();
          }}
        >
          {words.useMerged}
        </Button>
      </div>
    </div>
  );
}

export function ConflictDialog({ flow }: { flow: OpenFile }) {
  const { dialogs } = useCommandContext();
  const isOpen = useStore(dialogs, ({ open }) => open === 'conflict');
  const { conflict } = flow;
  if (conflict === null || conflict.diskText === null) return null;
  const close = (): void => dialogs.getState().close();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      size="wide"
      title={words.title}
      description={words.description({ path: flow.path })}
    >
      <Choice key={conflict.diskText} flow={flow} diskText={conflict.diskText} conflict={conflict} onDone={close} />
    </Dialog>
  );
}
