/**
 * Shown if the file changed on disk while it had unsaved edits: both versions side by side, merged where they do not
 * conflict.
 */
import { useState } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import type { FileConflict, OpenFile } from '../../stores/text/file.ts';
import { mergeTexts } from '../../stores/text/merge.ts';
import { TextDiff } from '../../text-view/text-diff.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { pluralText } from '../../ui/quantity-text.ts';
import { narrowWindow, useMediaQuery } from '../../ui/use-media-query.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import './text-dialog.css';

function hintOf(clashes: number): string {
  if (clashes === 0) return 'Both changes fit together. At the right is the text with both, which you can still edit.';
  const places = pluralText(clashes, 'place');
  return `${places} changed on both sides: yours stays there. At the right is the merged text, which you can edit.`;
}

interface ConflictChoiceProps {
  readonly flow: OpenFile;
  readonly diskText: string;
  readonly conflict: FileConflict;
  readonly onDone: () => void;
}

function Choice({ flow, diskText, conflict, onDone }: ConflictChoiceProps) {
  const { edits } = useStores();
  const isNarrow = useMediaQuery(narrowWindow);
  const { path, text: mine } = flow;
  // Merged once, when the dialog opens. After that, the user edits the result.
  const [merged] = useState(() => mergeTexts({ base: conflict.baseText ?? diskText, mine, theirs: diskText }));
  const [text, setText] = useState(merged.text);
  const settle = (choice: 'mine' | 'theirs'): void => {
    edits.settle(path, choice);
    onDone();
  };
  return (
    <div className="text-dialog">
      <p className="text-dialog-hint">{hintOf(merged.clashes)}</p>
      <div className="text-dialog-diff">
        <TextDiff
          original={diskText}
          modified={merged.text}
          file={flow}
          label={`The file at the left, the merged text of ${path} at the right`}
          isInline={isNarrow}
          onModifiedChange={setText}
        />
      </div>
      <div className="text-dialog-actions">
        <Button onClick={() => settle('mine')}>Keep mine as it was</Button>
        <Button onClick={() => settle('theirs')}>Take the file’s</Button>
        <Button
          variant="primary"
          onClick={() => {
            edits.settle(path, 'mine');
            edits.replace(path, text, 'Merge with the file');
            onDone();
          }}
        >
          Use the merged text
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
      title="The file and your text"
      description={`${flow.path} was changed by another program. At the left is what it holds now.`}
    >
      <Choice key={conflict.diskText} flow={flow} diskText={conflict.diskText} conflict={conflict} onDone={close} />
    </Dialog>
  );
}
