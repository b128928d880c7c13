/**
 * Reads the files that a configuration of another program names.
 */
import { readFile } from 'node:fs/promises';
import type { ConfigFiles } from '../../language/import/promptfoo/config-values.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { systemHolder } from '../../world/files/folders/folder-holder.ts';
import { findByGlobs } from '../../world/files/glob-files.ts';
import { resolveInWorkspace } from '../../world/files/workspace-path.ts';
import { csvOptions, parseCsv } from '../../world/lua/formats/csv.ts';
import { delimiterOf } from '../../world/lua/formats/csv-delimiter.ts';

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
    rows: rowsOf,
  };
}

/** Returns the rows of a CSV text as a dataset reads them; undefined if it cannot be a dataset. */
function rowsOf(text: string): readonly JsonMap[] | undefined {
  const source = text.replace(/^\uFEFF/, '');
  let isBroken = source.includes('\uFFFD');
  const options = csvOptions('a dataset', { delimiter: delimiterOf(source) });
  const { headers, rows } = parseCsv(source, options, () => {
    isBroken = true;
  });
  if (isBroken || new Set(headers).size < headers.length) return undefined;
  return rows.map((cells) => Object.fromEntries(headers.map((name, index) => [name, cells[index] ?? ''])));
}
