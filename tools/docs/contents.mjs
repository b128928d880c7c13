/**
 * The sections of the documentation and the order of their pages. A page that isn't listed comes after the listed ones,
 * by title.
 */

/**
 * @typedef {object} Section
 * @property {string} title
 * @property {string} folder folder in `docs/`; empty for `docs/` itself
 * @property {readonly string[]} order file names without `.md`
 */

/** @type {readonly Section[]} */
export const sections = [
  { title: 'Get started', folder: 'get-started', order: [] },
  { title: 'How-to', folder: 'how-to', order: [] },
  { title: 'Concepts', folder: 'concepts', order: [] },
  {
    title: 'Reference',
    folder: '',
    order: [
      'editing',
      'flowspec',
      'step-flows',
      'agents',
      'conversations',
      'models',
      'tools',
      'mcp',
      'code',
      'lua-api',
      'cli',
      'command-help',
      'history',
      'traces',
      'events',
      'cassettes',
      'inbox',
      'autonomy',
      'policies',
      'trust',
      'packs',
      'products',
      'teams',
      'embedding',
      'network',
      'performance',
      'diagnostics',
      'updates',
      'releasing',
    ],
  },
  { title: 'Node types', folder: 'nodes', order: ['index'] },
];

/** Files of the repository that are pages of the site but in no section. */
export const rootPages = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

/** Page of `docs/` that lists all others. */
export const indexFile = 'docs/index.md';
