/**
 * Processes documents in a separate thread, because the formats are complex, their parsers are slow and the files are
 * untrusted.
 */
import { EncryptedPDFError, PDFDocument } from '@cantoo/pdf-lib';
import mammoth from 'mammoth';
import yauzl from 'yauzl';
import { EngineError } from '../../../base/engine-error.ts';
import { htmlToMarkdown } from '../../lua/html/html-to-markdown.ts';

const mebibyte = 2 ** 20;

/** Maximum unpacked size of a document; a page of text takes about 10 KiB. */
const maxUnpackedBytes = 256 * mebibyte;
/** Maximum total size of a split document. Shared resources are duplicated in each page. */
const maxSplitBytes = 512 * mebibyte;

/** Document processing results, by job name. */
export interface DocumentResults {
  readonly pdfPageCount: number;
  readonly splitPdf: readonly Uint8Array[];
  readonly docxToMarkdown: string;
}

export type DocumentJobName = keyof DocumentResults;

type DocumentJobs = {
  readonly [Name in DocumentJobName]: (bytes: Uint8Array) => Promise<DocumentResults[Name]>;
};

/** The jobs by name. Each throws EngineError `documents.unreadable` | `documents.encrypted` | `documents.too-large`. */
export const documentJobs: DocumentJobs = {
  pdfPageCount: async (bytes) => (await openPdf(bytes)).getPageCount(),
  splitPdf: async (bytes) => split(await openPdf(bytes)),
  docxToMarkdown: async (bytes) => {
    await checkArchive(bytes);
    return htmlToMarkdown(await docxHtml(bytes));
  },
};

async function openPdf(bytes: Uint8Array): Promise<PDFDocument> {
  try {
    return await PDFDocument.load(bytes, { updateMetadata: false });
  } catch (error) {
    if (error instanceof EncryptedPDFError) {
      const message = 'The PDF file is encrypted. Save a copy without a password.';
      throw new EngineError({ code: 'documents.encrypted', message, cause: error });
    }
    throw unreadable('PDF', error);
  }
}

async function split(document: PDFDocument): Promise<Uint8Array[]> {
  const pages: Uint8Array[] = [];
  let total = 0;
  for (const index of document.getPageIndices()) {
    const page = await onePage(document, index);
    total += page.byteLength;
    if (total > maxSplitBytes) throw tooLarge('The total size of its pages is', maxSplitBytes);
    pages.push(page);
  }
  return pages;
}

async function onePage(document: PDFDocument, index: number): Promise<Uint8Array> {
  try {
    const single = await PDFDocument.create({ updateMetadata: false });
    for (const page of await single.copyPages(document, [index])) single.addPage(page);
    return await single.save({ addDefaultPage: false });
  } catch (error) {
    throw unreadable('PDF', error);
  }
}

/** Unpacks the document once to verify its declared size and the size limit. */
async function checkArchive(bytes: Uint8Array): Promise<void> {
  let total = 0;
  try {
    const zip = await yauzl.fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    for await (const entry of zip.eachEntry()) {
      total += entry.uncompressedSize;
      if (total > maxUnpackedBytes) throw tooLarge('The unpacked document is', maxUnpackedBytes);
      // Fails as soon as there is more data than the entry declares.
      for await (const _chunk of await zip.openReadStreamPromise(entry));
    }
  } catch (error) {
    throw EngineError.is(error) ? error : unreadable('Word (.docx)', error);
  }
}

/** Omits images except their descriptions, because as text they would be a thousand times as long. */
async function docxHtml(bytes: Uint8Array): Promise<string> {
  const convertImage = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      { convertImage, externalFileAccess: false },
    );
    return value;
  } catch (error) {
    throw unreadable('Word (.docx)', error);
  }
}

function unreadable(kind: string, error: unknown): EngineError {
  const problem = error instanceof Error ? error.message.split('\n')[0] : String(error);
  const message = `It cannot be read as a ${kind} file: ${problem}. Check that the file has this format and is complete.`;
  return new EngineError({ code: 'documents.unreadable', message, cause: error });
}

function tooLarge(what: string, limit: number): EngineError {
  const message = `${what} larger than ${limit / mebibyte} MiB. Split the document first.`;
  return new EngineError({ code: 'documents.too-large', message });
}
