/**
 * Lists in the base folder that only a person changes, such as that of published flows. They are never in a workspace,
 * because runs may write there.
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { EngineError } from '../../base/engine-error.ts';
import { writeFileAtomically } from '../../world/files/atomic-write.ts';
import { isMissing, toReadError } from '../../world/files/file-error.ts';
import { withFileLock } from '../../world/files/file-lock.ts';
import { isWithin, realPathOf } from '../../world/script/script-paths.ts';

/** A list with entries by key. */
export interface PersonList<Entry> {
  /** Returns the current entries. @throws EngineError `http.bad-list` if the file is damaged; `files.not-readable` */
  read(): Promise<ReadonlyMap<string, Entry>>;
  /**
   * Replaces the entries by those that `next` returns, while no other process changes them.
   * @returns the new entries
   * @throws EngineError as `read`; `files.locked`; errors of `next`. The file is then unchanged
   */
  change(next: (former: ReadonlyMap<string, Entry>) => ReadonlyMap<string, Entry>): Promise<ReadonlyMap<string, Entry>>;
  /** Returns whether the list is in a folder, where runs could change it. */
  isIn(folder: string): Promise<boolean>;
  /** Absolute path. */
  readonly file: string;
}

interface PersonListOptions<Entry> {
  /** Absolute path. */
  readonly baseFolder: string;
  /** File name in its folder `millrace`. */
  readonly name: string;
  /** Field of the file with the entries; `entries` if absent. */
  readonly field?: 'workspaces';
  readonly entry: () => z.ZodType<Entry>;
  readonly clock: Clock;
}

/** Opens a list. Its file is created with the first entry, readable only by the user. */
export function openPersonList<Entry>(options: PersonListOptions<Entry>): PersonList<Entry> {
  const { baseFolder, name, field = 'entries', entry, clock } = options;
  const file = join(baseFolder, 'millrace', name);
  const readAll = async (): Promise<ReadonlyMap<string, Entry>> => {
    const content = z.object({ version: z.literal(1), [field]: z.record(z.string(), entry()) });
    return new Map(Object.entries((await readContent(file, content))?.[field] ?? {}) as [string, Entry][]);
  };
  let known: { readonly stamp: string; readonly entries: ReadonlyMap<string, Entry> } | undefined;
  const read = async (): Promise<ReadonlyMap<string, Entry>> => {
    const stamp = await stampOf(file);
    if (known?.stamp !== stamp) known = { stamp, entries: await readAll() };
    return known.entries;
  };
  return {
    file,
    read,
    async change(next) {
      const signal = new AbortController().signal;
      return await withFileLock(`${file}.lock`, { clock, signal, shown: name }, async () => {
        const entries = next(await readAll());
        const text = JSON.stringify({ version: 1, [field]: Object.fromEntries(entries) }, null, 2);
        await writeFileAtomically(file, `${text}\n`, 0o600);
        return entries;
      });
    },
    isIn: async (folder) => isWithin(await realPathOf(folder), await realPathOf(file), { isGuard: true }),
  };
}

/** Every write replaces the file, so that its number or its time changes. */
async function stampOf(file: string): Promise<string> {
  try {
    const { ino, mtimeMs, size } = await stat(file);
    return `${ino} ${mtimeMs} ${size}`;
  } catch (error) {
    if (isMissing(error)) return 'none';
    throw toReadError(error, file);
  }
}

/** Returns undefined if there is no file. */
async function readContent<Content>(file: string, schema: z.ZodType<Content>): Promise<Content | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw toReadError(error, file);
    const [issue] = error instanceof z.ZodError ? error.issues : [];
    const place = issue?.path.map(String).join(' > ') ?? '';
    const reason = `${place}${place === '' ? '' : ': '}${issue?.message ?? error.message}`;
    const message = `${file} is damaged (${reason}). Repair the file, or delete it and make its entries again.`;
    throw new EngineError({ code: 'http.bad-list', message, cause: error });
  }
}
