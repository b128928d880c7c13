// The worker's program is bundled on first import. Importing it here keeps this out of the test time.
import 'virtual:document-worker';
import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { EngineError } from '../../../base/engine-error.ts';
import { docxToMarkdown, pdfPageCount, splitPdf } from '../document-calls.ts';

async function pdfOf(widths: readonly number[], password?: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (const width of widths) document.addPage([width, 100]).drawText(`page ${width}`, { size: 10 });
  if (password !== undefined) document.encrypt({ userPassword: password, ownerPassword: 'owner' });
  return document.save();
}

async function zipOf(files: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  const chunks: Buffer[] = [];
  for await (const chunk of zip.outputStream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

const word = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** @param body content of the document */
function docxOf(body: string): Promise<Uint8Array> {
  const types = 'http://schemas.openxmlformats.org/package/2006/content-types';
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument';
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${types}"><Override PartName="/word/document.xml" ContentType="${main}"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}" Target="word/document.xml"/></Relationships>`,
    'word/document.xml': `<w:document ${word}><w:body>${body}</w:body></w:document>`,
  });
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'nothing was thrown',
    (error) => (EngineError.is(error) ? error.code : String(error)),
  );
}

describe('PDF files', () => {
  test('counts the pages of PDF files and splits them', async () => {
    const bytes = await pdfOf([200, 300, 400]);
    expect(await pdfPageCount(bytes)).toBe(3);
    const pages = await splitPdf(bytes);
    const read = await Promise.all(pages.map((page) => PDFDocument.load(page)));
    expect(read.map((page) => page.getPages().map((one) => one.getWidth()))).toEqual([[200], [300], [400]]);
  });

  test('rejects files that are not PDF or are encrypted', async () => {
    expect(await codeOf(pdfPageCount(Buffer.from('no PDF')))).toBe('documents.unreadable');
    expect(await codeOf(splitPdf(await pdfOf([200], 'secret')))).toBe('documents.encrypted');
  });

  test('stops reading a PDF file when canceled', async () => {
    const bytes = await pdfOf([200]);
    const stopped = new AbortController();
    const counting = pdfPageCount(bytes, stopped.signal);
    stopped.abort(new Error('stopped'));
    await expect(counting).rejects.toThrow('stopped');
    await expect(pdfPageCount(bytes, stopped.signal)).rejects.toThrow('stopped');
  });
});

describe('Word files', () => {
  test('converts Word files to markdown', async () => {
    const bytes = await docxOf(
      '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Title</w:t></w:r></w:p>' +
        '<w:p><w:r><w:t xml:space="preserve">Some </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r></w:p>' +
        '<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>',
    );
    expect(await docxToMarkdown(bytes)).toBe('# Title\n\nSome **bold**\n\na\n\nb');
  });

  test('rejects files that are not Word documents', async () => {
    expect(await codeOf(docxToMarkdown(Buffer.from('no archive')))).toBe('documents.unreadable');
    expect(await codeOf(docxToMarkdown(await zipOf({ 'a.txt': 'a' })))).toBe('documents.unreadable');
  });

  test('rejects files that are larger than declared before they fill the memory', async () => {
    const bytes = Buffer.from(await docxOf('<w:p/>'.repeat(10_000)));
    const name = bytes.lastIndexOf('word/document.xml');
    bytes.writeUInt32LE(10, name - 22);
    expect(await codeOf(docxToMarkdown(bytes))).toBe('documents.unreadable');
  });
});
