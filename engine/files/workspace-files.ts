/**
 * What flows may do with the files of a workspace.
 */
import { appendFile, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import type { FilesCapability, FileText } from '../kernel/capabilities.ts';
import { writeFileAtomically } from './atomic-write.ts';
import { toWriteError } from './file-error.ts';
import { readTextFile } from './read-text.ts';
import { refuseProtected, resolveInWorkspace, type WorkspacePath } from './workspace-path.ts';

const maxFileBytes = 16 * 1024 * 1024;
const maxTotalBytes = 64 * 1024 * 1024;

/**
 * The workspace's files for nodes. A single file may have 16 MiB, all files of one glob reading 64 MiB.
 * @param root the workspace folder, absolute
 */
export function createWorkspaceFiles(root: string): FilesCapability {
  return {
    async readText(path, signal) {
      return await readOne(await resolveInWorkspace(root, path), signal);
    },
    async readGlobs(globs, signal) {
      // Loaded with the first glob, because most runs have none.
      const { findByGlobs } = await import('./glob-files.ts');
      const files: FileText[] = [];
      let totalBytes = 0;
      for (const file of await findByGlobs(root, globs, signal)) {
        const read = await readOne(file, signal);
        totalBytes += Buffer.byteLength(read.text);
        if (totalBytes > maxTotalBytes) {
          throw tooMuch(globs);
        }
        files.push(read);
      }
      return files;
    },
    async writeText(path, text, mode) {
      const file = await resolveInWorkspace(root, path);
      refuseProtected(file);
      try {
        await (mode === 'append' ? append(file.real, text) : writeFileAtomically(file.real, text));
        return { path: file.shown, sizeBytes: (await stat(file.real)).size };
      } catch (error) {
        throw toWriteError(error, file.shown);
      }
    },
  };
}

async function readOne({ shown, real }: WorkspacePath, signal: AbortSignal): Promise<FileText> {
  const text = await readTextFile(real, { maxBytes: maxFileBytes, shownPath: shown, signal });
  return { path: shown, text };
}

async function append(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, text);
}

function tooMuch(globs: readonly string[]): EngineError {
  return new EngineError({
    code: 'files.too-large',
    message: `The files that match ${globs.join(', ')} are together larger than ${maxTotalBytes / 1024 / 1024} MiB. Match fewer.`,
    details: { maxBytes: maxTotalBytes },
  });
}
