/**
 * Flow files as text.
 */
import { resolve } from 'node:path';
import { readTextFile } from './read-text.ts';

export interface ReadFlowOptions {
  /** The workspace folder, absolute. */
  readonly workspace: string;
  /** Relative to the workspace, or absolute: a person may open a flow that lies elsewhere. */
  readonly path: string;
  readonly maxBytes: number;
}

/**
 * Reads a flow's text, whatever it says.
 * @throws EngineError `files.not-found` | `files.not-text` | `files.too-large` | `files.not-readable`
 */
export async function readFlowText({ workspace, path, maxBytes }: ReadFlowOptions): Promise<string> {
  return await readTextFile(resolve(workspace, path), { maxBytes, shownPath: path });
}
