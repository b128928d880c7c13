/**
 * Reads the definitions that a run and its child runs executed.
 */
import { isAbsolute } from 'node:path';
import type { RunId } from '../../base/ids.ts';
import type { StoredDefinition } from '../../language/flow/stored-definition.ts';
import { readPages } from '../../runtime/kernel/capabilities/read-run.ts';
import type { RunHistoryReader } from './history.ts';

export interface ExecutedDefinition {
  /** As in `run:start`. */
  readonly hash: string;
  /** Path of its file, as in `run:start`. */
  readonly path: string;
  readonly definition: StoredDefinition;
}

/**
 * Returns the definition of the run, then those of the flows and agents that it called.
 * @throws EngineError `run.not-found`
 */
export async function readDefinitions(
  history: Pick<RunHistoryReader, 'readEvents' | 'readHead' | 'readStoredDefinition'>,
  runId: RunId,
): Promise<readonly ExecutedDefinition[]> {
  const { run, lastSeq } = await history.readHead(runId);
  const found = new Map([[run.definitionHash, run.sourcePath]]);
  for await (const page of readPages(history, runId, { lastSeq })) {
    for (const { event } of page)
      if (event.type === 'run:start' && !found.has(event.definitionHash))
        found.set(event.definitionHash, event.sourcePath);
  }
  const definitions: ExecutedDefinition[] = [];
  for (const [hash, path] of found)
    definitions.push({ hash, path, definition: await history.readStoredDefinition(hash) });
  return definitions;
}

/** Returns the texts of flows and agents by path. Those of packs and of files outside the workspace are not included. */
export function textsOf(definitions: readonly ExecutedDefinition[]): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const { path, definition } of definitions) addTexts(texts, path, definition);
  return texts;
}

function addTexts(texts: Record<string, string>, path: string, { text, schemas }: StoredDefinition): void {
  const isInside = !isAbsolute(path) && !path.startsWith('../') && !/^[^/]+@/.test(path);
  if (isInside && /\.(?:ya?ml|json|aip)$/i.test(path)) texts[path] ??= text;
  for (const file of schemas.values())
    if ('flow' in file) addTexts(texts, file.flow.path, { text: file.flow.text, schemas: new Map(file.flow.files) });
}
