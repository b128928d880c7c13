/**
 * Makes some nodes of an open flow a flow of their own: writes its file, then lets the open one call it.
 */
import { EngineError, type Extraction, type FlowChange } from '../../../engine/isomorphic.ts';
import type { FileServices } from './files.ts';
import { folderOf, pathIn } from './paths.ts';

export interface Extractions {
  /** The text that the new flow would have. @throws EngineError `edit.refused` why the nodes cannot become one */
  extracted(path: string, extraction: Extraction): Promise<string>;
  /**
   * Writes the new file beside the flow at `path`, which calls it then: one entry of undo, which leaves the new file. When the flow
   * cannot be changed, the new file goes again. Gives its path; null when the flow was not changed, which a notice has said.
   * @throws EngineError why the new file cannot be written, such as `files.exists`
   */
  extract(path: string, extraction: Extraction): Promise<string | null>;
}

interface ChangeOfFlow {
  readonly mayEdit: (path: string) => boolean;
  readonly change: (path: string, change: FlowChange) => Promise<boolean>;
  readonly whenChanged: (path: string) => Promise<void>;
}

export function createExtractions(services: FileServices, { mayEdit, change, whenChanged }: ChangeOfFlow): Extractions {
  const { documents, engine, logs } = services;
  const extracted = async (path: string, extraction: Extraction): Promise<string> => {
    await whenChanged(path);
    const made = await documents.extract(logs.logOf(path)?.text ?? '', extraction);
    if (!made.ok) throw new EngineError(made.error);
    return made.text;
  };
  return {
    extracted,
    async extract(path, extraction) {
      if (!mayEdit(path)) return null;
      const text = await extracted(path, extraction);
      const file = pathIn(folderOf(path), extraction.file);
      await engine.call('createFile', { path: file, kind: 'file', text });
      if (await change(path, { do: 'extract', ...extraction, text })) return file;
      await engine.call('trashFile', file);
      return null;
    },
  };
}
