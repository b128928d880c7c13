/**
 * `aip.file`: files in the workspace, in packs, and in other folders that a script may access.
 */
import { fileBytesMembers } from '../api-file/file-bytes.ts';
import { fileCsvMembers } from '../api-file/file-csv.ts';
import { fileConvertMembers, fileFormatMembers } from '../api-file/file-formats.ts';
import { fileReadMembers } from '../api-file/file-read.ts';
import { fileWriteMembers } from '../api-file/file-write.ts';
import type { ApiModule } from '../api-module.ts';

export const fileApi: ApiModule = {
  name: 'file',
  reachesOut: true,
  summary:
    'Reads and writes files. A path is relative to the workspace, absolute, below `~/` or `$tmp/`, or a pack reference: `ns@name/x`, `ns@name$base/x`, `ns@name$workspace/x`. Unless the workspace is trusted, a script can read only in the workspace, the pack and the base folder, and write only in the workspace, the data folders of its pack and `$tmp`.',
  members: [
    ...fileReadMembers,
    ...fileFormatMembers,
    ...fileBytesMembers,
    ...fileWriteMembers,
    ...fileCsvMembers,
    ...fileConvertMembers,
  ],
};
