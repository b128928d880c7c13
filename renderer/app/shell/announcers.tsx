/**
 * Live regions for screen readers: how a run goes, and what an edit did.
 */
import { useEffect, useRef, useState } from 'react';
import type { LiveRun } from '../../stores/runs/live-runs.ts';
import { useOpenFile, useShownRunPart } from '../../stores/use-flow.ts';
import { durationText } from '../../ui/quantity-text.ts';
import { stateWords } from '../../ui/state-icon.tsx';

/** Announces how the run of the active file goes: its begin, its end, nothing in between. */
export function RunAnnouncer({ path }: { path: string }) {
  const text = useShownRunPart(path, ({ state }) => announcement(state)) ?? '';
  return (
    <div role="status" className="visually-hidden">
      {text}
    </div>
  );
}

function announcement({ status, durationMs, error }: LiveRun['state']): string {
  const time = durationMs === null ? '' : ` after ${durationText(durationMs)}`;
  const cause = error === undefined ? '' : `: ${error.message}`;
  return `Run ${stateWords[status]}${time}${cause}`;
}

interface Labels {
  readonly undo: string | null;
  readonly redo: string | null;
}

/** What happened, by what undo and redo would do now and would have done before; null = nothing worth a word. */
export function editWords(before: Labels, now: Labels): string | null {
  if (before.undo === now.undo && before.redo === now.redo) return null;
  if (now.redo !== null && now.redo === before.undo) return `Undone: ${now.redo}`;
  if (now.undo === null) return null;
  if (now.undo === before.redo) return `Done again: ${now.undo}`;
  // A screen reader echoes what is typed.
  return now.undo === 'Typing' ? null : now.undo;
}

/** Announces what an edit of the active file did, by the name that it has in the undo menu. */
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
    const isRepeated = former.undo === undo && former.redo === redo && undo !== null && undo !== 'Typing';
    const said = isRepeated ? undo : editWords(former, { undo, redo });
    if (said !== null) setWords(({ turn }) => ({ text: said, turn: turn + 1 }));
  }, [undo, redo, text]);
  return (
    <div role="status" className="visually-hidden">
      {/* The same words twice are a change only with another element. */}
      <span key={words.turn}>{words.text}</span>
    </div>
  );
}
