/**
 * Live regions for screen readers: the progress of a run and the effect of an edit.
 */
import { useEffect, useRef, useState } from 'react';
import type { LiveRun } from '../../stores/runs/live/live-runs.ts';
import { shownStateOfRun } from '../../stores/runs/shown-run.ts';
import { text as editText } from '../../stores/text/text.ts';
import { useOpenFile, useRunNowPart } from '../../stores/use-flow.ts';
import { durationText } from '../../ui/quantity-text.ts';
import { visualStateLabels } from '../../ui/state-icon.tsx';
import { text as table } from './text.ts';

/** Announces the start and the end of the active file's run. */
export function RunAnnouncer({ path }: { path: string }) {
  const text = useRunNowPart(path, ({ state }) => announcement(state)) ?? '';
  return (
    <div role="status" className="visually-hidden">
      {text}
    </div>
  );
}

function announcement(state: LiveRun['state']): string {
  const { durationMs, error } = state;
  const { run, runAfter, runFailed, runFailedAfter } = table.announcements;
  const label = visualStateLabels[shownStateOfRun({ state })];
  const problem = error?.message;
  if (durationMs === null) return problem === undefined ? run({ state: label }) : runFailed({ state: label, problem });
  const time = durationText(durationMs);
  return problem === undefined ? runAfter({ state: label, time }) : runFailedAfter({ state: label, time, problem });
}

interface Labels {
  readonly undo: string | null;
  readonly redo: string | null;
}

/**
 * Describes an edit by comparing the undo and redo labels before and after it. Null if no announcement is needed.
 */
export function undoAnnouncement(before: Labels, now: Labels): string | null {
  if (before.undo === now.undo && before.redo === now.redo) return null;
  if (now.redo !== null && now.redo === before.undo) return table.announcements.undone({ label: now.redo });
  if (now.undo === null) return null;
  if (now.undo === before.redo) return table.announcements.redone({ label: now.undo });
  // Screen readers already echo typed characters.
  return now.undo === editText.edits.typing ? null : now.undo;
}

/** Announces an edit of the active file by its label in the undo menu. */
export function EditAnnouncer({ path }: { path: string }) {
  const file = useOpenFile(path);
  const undo = file?.undoLabel ?? null;
  const redo = file?.redoLabel ?? null;
  const text = file?.text ?? '';
  const before = useRef<Labels & { readonly text: string }>({ undo, redo, text });
  const [words, setWords] = useState({ text: '', turn: 0 });
  useEffect(() => {
    const former = before.current;
    before.current = { undo, redo, text };
    if (former.text === text) return;
    const isRepeated = former.undo === undo && former.redo === redo && undo !== null && undo !== editText.edits.typing;
    const said = isRepeated ? undo : undoAnnouncement(former, { undo, redo });
    if (said !== null) setWords(({ turn }) => ({ text: said, turn: turn + 1 }));
  }, [undo, redo, text]);
  return (
    <div role="status" className="visually-hidden">
      {/* A screen reader repeats identical text only if it is in a new element. */}
      <span key={words.turn}>{words.text}</span>
    </div>
  );
}
