/**
 * `aip.pdf`: PDF files, which the engine reads.
 */
import { optionalString, requiredString } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';
import { prefixErrors } from '../script-error.ts';

export const pdfApi: ApiModule = {
  name: 'pdf',
  reachesOut: true,
  summary: 'Counts and splits the pages of PDF files.',
  members: [
    {
      name: 'page_count',
      signature: 'page_count(path: string) -> integer',
      summary: 'Returns the number of pages in a PDF file. Raises an error if the file does not exist or is not a PDF.',
      call: ([path], { host }) => {
        const params = { path: requiredString(path, 1) };
        return prefixErrors('aip.pdf.page_count failed. ', () => host('pdf.pageCount', params)).count;
      },
    },
    {
      name: 'split_pages',
      signature: 'split_pages(path: string, folder?: string) -> FileInfo[]',
      summary:
        'Writes each page to a separate file (`<stem>-page-0001.pdf` and so on). The default folder is next to the PDF file and has its stem as the name. Returns the written files.',
      call: ([path, folder], { host }) => {
        const destination = optionalString(folder, 'aip.pdf.split_pages');
        const params = { path: requiredString(path, 1), ...(destination !== undefined && { destination }) };
        const { files } = prefixErrors('aip.pdf.split_pages failed. ', () => host('pdf.splitPages', params));
        return files.map((info) => ({ ...info }));
      },
    },
  ],
};
