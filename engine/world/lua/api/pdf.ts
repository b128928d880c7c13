/**
 * `aip.pdf`: PDF files, which the engine reads.
 */
import { optionalString, requiredString } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';
import { prefixErrors } from '../script-error.ts';

export const pdfApi: ApiModule = {
  name: 'pdf',
  reachesOut: true,
  summary: 'Works with PDF files.',
  members: [
    {
      name: 'page_count',
      signature: 'page_count(path: string) -> integer',
      summary: 'How many pages a PDF file has. Raises when there is no such file, or when it is no PDF.',
      call: ([path], { host }) => {
        const params = { path: requiredString(path, 1) };
        return prefixErrors('aip.pdf.page_count failed. ', () => host('pdf.pageCount', params)).count;
      },
    },
    {
      name: 'split_pages',
      signature: 'split_pages(path: string, folder?: string) -> FileInfo[]',
      summary:
        'Writes each page to a file of its own, `<stem>-page-0001.pdf` and so on, into a folder named after the stem beside the file unless one is named.',
      call: ([path, folder], { host }) => {
        const destination = optionalString(folder, 'aip.pdf.split_pages');
        const params = { path: requiredString(path, 1), ...(destination !== undefined && { destination }) };
        const { files } = prefixErrors('aip.pdf.split_pages failed. ', () => host('pdf.splitPages', params));
        return files.map((info) => ({ ...info }));
      },
    },
  ],
};
