/**
 * The text of the gallery of examples.
 */
import { inLanguage, numberText, plural } from '../../ui/language.ts';

interface Folder {
  readonly folder: string;
}

export const text = inLanguage('app/gallery', {
  title: 'Start from an example',
  description: 'Complete flows and agents that run without a key. Millrace copies the files into this workspace.',
  search: 'Search examples',
  useFilter: 'Use',
  all: 'All',
  uses: {
    support: 'Support',
    sales: 'Sales',
    research: 'Research',
    code: 'Code review',
    documents: 'Documents',
    data: 'Data',
    operations: 'Operations',
  },
  examples: 'Examples',
  loading: 'Loading examples…',
  none: 'No examples available',
  noneNote: 'This installation has no examples.',
  noMatch: 'No matching examples',
  noMatchNote: 'Try another word, or show all examples.',
  showAll: 'Show all examples',
  failed: "Couldn't read the examples",
  broken: ({ count }: { readonly count: number }) =>
    plural(count, { one: '1 example is not shown:', other: `${numberText(count)} examples are not shown:` }),
  kinds: { flow: 'Flow', agent: 'Agent', dialogue: 'Conversation', file: 'File' },
  nodes: ({ count }: { readonly count: number }) =>
    plural(count, { one: '1 node', other: `${numberText(count)} nodes` }),
  copied: 'In this workspace',
  creates: ({ folder }: Folder) => `Creates the folder ${folder}`,
  hasCopy: ({ folder }: Folder) => `This workspace already has the folder ${folder}. It stays as it is.`,
  use: 'Use this example',
  openCopy: 'Open your copy',
  copying: 'Copying…',
  copyFailed: "Couldn't copy the example",
});
