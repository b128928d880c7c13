/**
 * `aip.zip`: archives, which the engine creates and reads.
 */
import { asMap, isNil, optionalString, requiredString, stringList } from '../api-arguments.ts';
import type { ApiModule, LuaValue } from '../api-module.ts';
import { prefixErrors, scriptError } from '../script-error.ts';

/** Reads `ZipOptions`. A missing or empty list means every entry. */
function globsOf(options: LuaValue, name: string): { globs?: readonly string[] } {
  if (isNil(options)) return {};
  const map = asMap(options);
  if (map === undefined) throw scriptError(`Failed to parse zip options.\nCause: ${name} - options must be a table`);
  const { globs } = map;
  const list = isNil(globs) ? [] : stringList(globs, `${name} - globs`);
  return list.length === 0 ? {} : { globs: list };
}

function destinationOf(destination: LuaValue, name: string): { destination?: string } {
  const path = optionalString(destination, name);
  return path === undefined ? {} : { destination: path };
}

const globsText = '`{ globs = { … } }` limits it to entries that match one of them.';

export const zipApi: ApiModule = {
  name: 'zip',
  reachesOut: true,
  summary: 'Creates and reads zip archives. Refuses to extract entries outside the destination folder.',
  members: [
    {
      name: 'create',
      signature: 'create(folder: string, archive?: string, options?: ZipOptions) -> FileInfo',
      summary: `Creates an archive of a folder's contents. The default archive is \`<folder>.zip\` next to the folder. ${globsText} Raises an error if the folder does not exist.`,
      call: ([folder, archive, options], { host }) => {
        const params = {
          source: requiredString(folder, 1),
          ...destinationOf(archive, 'aip.zip.create'),
          ...globsOf(options, 'aip.zip.create'),
        };
        return { ...prefixErrors('aip.zip.create failed. ', () => host('zip.create', params)).info };
      },
    },
    {
      name: 'extract',
      signature: 'extract(archive: string, folder?: string, options?: ZipOptions) -> FileInfo[]',
      summary: `Extracts an archive and returns the files in archive order. The default folder is next to the archive and has the archive's name. ${globsText} Raises an error if an entry is unsafe or the content is too large.`,
      call: ([archive, folder, options], { host }) => {
        const params = {
          source: requiredString(archive, 1),
          ...destinationOf(folder, 'aip.zip.extract'),
          ...globsOf(options, 'aip.zip.extract'),
        };
        const { files } = prefixErrors('aip.zip.extract failed. ', () => host('zip.extract', params));
        return files.map((info) => ({ ...info }));
      },
    },
    {
      name: 'read_text',
      signature: 'read_text(archive: string, entry: string) -> string | nil',
      summary:
        "Returns an entry's text. Returns nil if the entry does not exist. Raises an error if it is not UTF-8 text.",
      call: ([archive, entry], { host }) => {
        const params = { source: requiredString(archive, 1), entry: requiredString(entry, 2) };
        return prefixErrors('aip.zip.read_text failed. ', () => host('zip.readText', params)).text ?? undefined;
      },
    },
    {
      name: 'list',
      signature: 'list(archive: string, options?: ZipOptions) -> string[]',
      summary: `Returns the entries' stored names in archive order. Folder names end with \`/\`. ${globsText}`,
      call: ([archive, options], { host }) => {
        const params = { source: requiredString(archive, 1), ...globsOf(options, 'aip.zip.list') };
        return prefixErrors('aip.zip.list failed. ', () => host('zip.list', params)).names;
      },
    },
  ],
};
