import { Button } from '../../ui/button.tsx';
import type { DraftText } from '../use-draft-text.ts';
import './changed-elsewhere.css';

/** Below a field whose text was changed elsewhere while it was typed over: what stands in the file now, and the choice. */
export function ChangedElsewhere({ draft: { conflict } }: { draft: DraftText }) {
  if (conflict === null) return null;
  return (
    <div className="changed-elsewhere" role="alert">
      <p>Changed elsewhere while you typed. In the file now:</p>
      <pre data-selectable>{conflict.theirs === '' ? '(nothing)' : conflict.theirs}</pre>
      <div className="changed-elsewhere-answers">
        <Button size="small" onClick={conflict.keepMine}>
          Keep mine
        </Button>
        <Button size="small" onClick={conflict.takeTheirs}>
          Take theirs
        </Button>
      </div>
    </div>
  );
}
