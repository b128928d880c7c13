/**
 * Flow files by folder, as the side panel lists them.
 */
import { flowNameOf } from '../stores/flow-name.ts';
import type { FlowFile } from '../stores/workspace.ts';

export interface FlowFolder {
  /** Relative to the workspace; empty for the workspace folder itself. */
  readonly name: string;
  readonly files: readonly { readonly file: FlowFile; readonly name: string }[];
}

/** Groups files by folder: first those of the workspace folder itself, then the folders in the order they come. */
export function groupByFolder(files: readonly FlowFile[]): readonly FlowFolder[] {
  const folders = new Map<string, FlowFolder['files'][number][]>();
  for (const file of files) {
    const folder = file.path.includes('/') ? file.path.slice(0, file.path.lastIndexOf('/')) : '';
    const entry = { file, name: flowNameOf(file.path) };
    const entries = folders.get(folder);
    if (entries === undefined) folders.set(folder, [entry]);
    else entries.push(entry);
  }
  return [...folders]
    .map(([name, entries]) => ({ name, files: entries }))
    .sort((left, right) => Number(left.name !== '') - Number(right.name !== ''));
}
