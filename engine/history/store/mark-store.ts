/**
 * Stores what people have written about runs: labels and notes. It is not part of the runs' logs, and every process
 * may change it at any time, also while another one executes the run.
 */
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { Db, TxDb } from './db.ts';

/** A change of a run's labels and note. Absent parts stay as they are. */
export interface RunMarkChange {
  readonly addLabels?: readonly string[];
  readonly removeLabels?: readonly string[];
  /** Replaces the note; an empty one removes it. */
  readonly note?: string;
}

/** A label that some runs have. */
export interface LabelInUse {
  readonly label: string;
  readonly runs: number;
}

export interface MarkStore {
  /**
   * Changes a run's labels and note, completely or not at all.
   * @throws EngineError `run.not-found` | `run.bad-mark` | `store.full` | `store.write-failed`
   */
  change(runId: RunId, change: RunMarkChange): void;
  /** Returns all labels in use, the most frequent first. */
  labels(): readonly LabelInUse[];
}

/** Maximum number of characters of a label, of labels of a run, and of characters of a note. */
const longestLabel = 60;
const mostLabels = 20;
const longestNote = 2_000;

/** Creates the store on a migrated database. */
export function createMarkStore(db: Db): MarkStore {
  return {
    change(runId, change) {
      refuseBad(change);
      db.execTx((tx) => {
        const run = tx.get<{ id: number }>('SELECT id FROM run WHERE run_id = ?', runId);
        if (run === undefined)
          throw new EngineError({ code: 'run.not-found', message: `Run ${runId} is not in this history.` });
        applyChange(tx, run.id, change);
      });
    },
    labels: () =>
      db.all<LabelInUse>('SELECT label, count(*) AS runs FROM run_label GROUP BY label ORDER BY count(*) DESC, label'),
  };
}

function applyChange(tx: TxDb, rowId: number, { addLabels = [], removeLabels = [], note }: RunMarkChange): void {
  for (const label of removeLabels) tx.run('DELETE FROM run_label WHERE run = ? AND label = ?', rowId, label.trim());
  for (const label of addLabels)
    tx.run('INSERT INTO run_label (run, label) VALUES (?, ?) ON CONFLICT DO NOTHING', rowId, label.trim());
  if (note !== undefined) tx.run('UPDATE run SET note = ? WHERE id = ?', note.trim() || null, rowId);
  const labels = tx.get<{ count: number }>('SELECT count(*) AS count FROM run_label WHERE run = ?', rowId);
  // Undoes everything above.
  if ((labels?.count ?? 0) > mostLabels) throw badMark(`A run can have up to ${mostLabels} labels. Remove one first.`);
}

function refuseBad({ addLabels = [], note = '' }: RunMarkChange): void {
  if (note.length > longestNote)
    throw badMark(`A note can have up to ${longestNote} characters; this one has ${note.length}.`);
  for (const label of addLabels) {
    const { length } = label.trim();
    if (length === 0) throw badMark('A label is empty.');
    if (length > longestLabel)
      throw badMark(
        `A label can have up to ${longestLabel} characters; "${label.trim().slice(0, 20)}…" has ${length}.`,
      );
    if (/\p{Cc}/u.test(label)) throw badMark('A label contains a line break or another control character.');
  }
}

function badMark(message: string): EngineError {
  return new EngineError({ code: 'run.bad-mark', message });
}
