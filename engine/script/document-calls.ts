/**
 * Calls of scripts for documents: PDF and Word.
 */
import { readStart } from '../files/read-text.ts';
import { nameOf, parentOf, pathInfo } from '../lua/api-file/file-arguments.ts';
import type { FileInfoValue, ScriptHost } from '../lua/host-calls.ts';
import { maxDocumentBytes, runDocumentJob } from './documents/run-document-job.ts';
import { reading } from './file-calls.ts';
import { writeMade } from './file-write-calls.ts';
import type { GivenPath, ScriptAccess } from './script-access.ts';

/**
 * How many pages a PDF file has.
 * @throws EngineError `documents.unreadable` | `documents.encrypted` | `documents.too-large`; the signal's reason
 */
export function pdfPageCount(bytes: Uint8Array, signal?: AbortSignal): Promise<number> {
  return runDocumentJob('pdfPageCount', bytes, signal);
}

/**
 * A PDF file for each page, in order.
 * @throws EngineError `documents.unreadable` | `documents.encrypted` | `documents.too-large`; the signal's reason
 */
export function splitPdf(bytes: Uint8Array, signal?: AbortSignal): Promise<readonly Uint8Array[]> {
  return runDocumentJob('splitPdf', bytes, signal);
}

/**
 * A .docx file as markdown, without its pictures.
 * @throws EngineError `documents.unreadable` | `documents.too-large`; the signal's reason
 */
export function docxToMarkdown(bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
  return runDocumentJob('docxToMarkdown', bytes, signal);
}

type DocumentCalls = Pick<ScriptHost, 'file.docxToMarkdown' | 'pdf.pageCount' | 'pdf.splitPages'>;

/** The calls of one script for documents. They are read in threads of their own. */
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
      // Before the work: a folder that is refused must not cost it.
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

async function bytesOf(access: ScriptAccess, given: GivenPath, signal: AbortSignal): Promise<Uint8Array> {
  // One byte more than is allowed, so that what is too large can be told from what just fits.
  return await reading({ access, given, signal }, (file) =>
    readStart(file, { maxBytes: maxDocumentBytes + 1, shownPath: given.path, signal }),
  );
}

/** A folder named after the file, beside it. */
function besideOf(path: string): string {
  return below(parentOf(path) ?? '', pathInfo(nameOf(path)).stem);
}

function below(folder: string, name: string): string {
  if (folder === '') return name;
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`;
}
