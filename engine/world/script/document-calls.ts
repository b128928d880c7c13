/**
 * Scripts' host calls for PDF and Word documents.
 */
import { readStart } from '../files/read-text.ts';
import { nameOf, parentOf, pathInfo } from '../lua/api-file/file-arguments.ts';
import type { FileInfoValue, ScriptHost } from '../lua/host-calls.ts';
import { maxDocumentBytes, runDocumentJob } from './documents/run-document-job.ts';
import { reading } from './file-calls.ts';
import { writeMade } from './file-write-calls.ts';
import type { ScriptAccess, ScriptPathArgument } from './script-access.ts';

/**
 * Returns the number of pages in a PDF file.
 * @throws EngineError `documents.unreadable` | `documents.encrypted` | `documents.too-large`; the signal's reason
 */
export function pdfPageCount(bytes: Uint8Array, signal?: AbortSignal): Promise<number> {
  return runDocumentJob('pdfPageCount', bytes, signal);
}

/**
 * Splits a PDF file into one file per page, in order.
 * @throws EngineError `documents.unreadable` | `documents.encrypted` | `documents.too-large`; the signal's reason
 */
export function splitPdf(bytes: Uint8Array, signal?: AbortSignal): Promise<readonly Uint8Array[]> {
  return runDocumentJob('splitPdf', bytes, signal);
}

/**
 * Converts a .docx file to markdown, without its images.
 * @throws EngineError `documents.unreadable` | `documents.too-large`; the signal's reason
 */
export function docxToMarkdown(bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
  return runDocumentJob('docxToMarkdown', bytes, signal);
}

type DocumentCalls = Pick<ScriptHost, 'file.docxToMarkdown' | 'pdf.pageCount' | 'pdf.splitPages'>;

/** Returns one script's document calls. Documents are processed on separate threads. */
export function documentCalls(access: ScriptAccess): DocumentCalls {
  return {
    'file.docxToMarkdown': async (params, signal) => ({
      markdown: await docxToMarkdown(await bytesOf(access, params, signal), signal),
    }),
    'pdf.pageCount': async (params, signal) => ({
      count: await pdfPageCount(await bytesOf(access, params, signal), signal),
    }),
    'pdf.splitPages': async ({ path, baseDir, destination }, signal) => {
      const folder = destination ?? besideOf(path);
      // Checked first, so that no work is done for a folder that is denied.
      await access.write({ path: folder }, signal);
      const pages = await splitPdf(await bytesOf(access, { path, baseDir }, signal), signal);
      const files: FileInfoValue[] = [];
      for (const [at, content] of pages.entries()) {
        const name = `${pathInfo(path).stem}-page-${String(at + 1).padStart(4, '0')}.pdf`;
        files.push(await writeMade(access, { path: below(folder, name), content }, signal));
      }
      return { files };
    },
  };
}

async function bytesOf(access: ScriptAccess, given: ScriptPathArgument, signal: AbortSignal): Promise<Uint8Array> {
  // One byte more than allowed, to distinguish a file that is too large from one that fits exactly.
  return await reading({ access, given, signal }, (file) =>
    readStart(file, { maxBytes: maxDocumentBytes + 1, shownPath: given.path, signal }),
  );
}

/** Returns a folder next to the file with the file's name. */
function besideOf(path: string): string {
  return below(parentOf(path) ?? '', pathInfo(nameOf(path)).stem);
}

function below(folder: string, name: string): string {
  if (folder === '') return name;
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
