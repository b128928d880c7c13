/**
 * Edits of triggers on a canvas.
 */
import type { CanvasEditor } from '../state/canvas-editor.ts';

/** Adds a schedule, selects it and shows its form. */
export async function addTrigger(editor: CanvasEditor): Promise<void> {
  const { path, stores } = editor;
  await stores.edits.whenChanged(path);
  const doc = stores.openFiles.getState().files.get(path)?.doc ?? editor.doc;
  const taken = new Set((doc.flow.triggers ?? []).map(({ id }) => id));
  const id = freeName('schedule', taken);
  const { timeZone: timezone } = new Intl.DateTimeFormat().resolvedOptions();
  const value = { id, schedule: { cron: '0 9 * * 1-5', timezone } };
  const change = { do: 'set-trigger', id, path: [], value } as const;
  if (!(await editor.change(change))) return;
  stores.selection.getState().choose(path, { triggers: [id] }, null);
  stores.panes.getState().showForm();
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let count = 2; ; count++) if (!taken.has(`${name}_${count}`)) return `${name}_${count}`;
}
