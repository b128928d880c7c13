/**
 * Reads the files that a configuration of another program names.
 */
import { readFile } from 'node:fs/promises';
import type { ConfigFiles } from '../../language/import/promptfoo/config-values.ts';
import { systemHolder } from '../../world/files/folders/folder-holder.ts';
import { findByGlobs } from '../../world/files/glob-files.ts';
import { resolveInWorkspace } from '../../world/files/workspace-path.ts';
import { readCsvTable } from '../../world/lua/formats/csv-table.ts';

/** Returns a reader of files in a folder and below it. */
export function filesBeside(folder: string): ConfigFiles {
  return {
    async read(named) {
      const { real } = await resolveInWorkspace(folder, named).catch(() => ({ real: undefined }));
      return real === undefined ? undefined : await readFile(real, 'utf8').catch(() => undefined);
    },
    async find(glob) {
      const search = { holder: systemHolder, signal: new AbortController().signal };
      const found = await findByGlobs(folder, [glob], search).catch(() => []);
      return found.map(({ shown }) => shown);
    },
    rows(text) {
      const table = readCsvTable(text);
      return 'rows' in table ? table.rows : undefined;
    },
  };
}
