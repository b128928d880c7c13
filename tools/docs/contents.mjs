/**
 * The sections of the documentation and the order of their pages. A page that isn't listed comes after the listed ones,
 * by name.
 */

/**
 * @typedef {object} Section
 * @property {string} title
 * @property {string} folder folder in `docs/`; empty for `docs/` itself
 * @property {readonly string[]} order file names without `.md`
 */

/** @type {readonly Section[]} */
export const sections = [
  {
    title: 'Get started',
    folder: 'get-started',
    order: ['first-flow', 'first-agent', 'first-conversation', 'first-product'],
  },
  {
    title: 'How-to',
    folder: 'how-to',
    order: [
      'branch-on-a-value',
      'process-a-list-of-items',
      'run-steps-in-parallel',
      'loop-until-good',
      'call-one-flow-from-another',
      'read-and-write-files',
      'run-code',
      'call-an-api-with-a-secret',
      'use-a-local-model',
      'get-structured-data-from-a-model',
      'give-a-model-tools',
      'use-an-mcp-server',
      'write-an-agent-for-many-files',
      'chat-with-a-flow',
      'ask-a-person-before-sending',
      'limit-cost-and-effects',
      'debug-a-failing-node',
      'retry-and-time-out',
      'continue-after-a-failure',
      'redo-from-a-node',
      'resume-after-a-crash-or-restart',
      'test-a-flow',
      'test-without-calling-a-model',
      'run-in-github-actions',
      'run-on-a-schedule',
      'review-changes-in-git',
      'let-a-coding-agent-change-flows',
      'share-with-my-team',
      'use-in-your-own-program',
      'watch-a-remote-history',
      'send-traces-to-opentelemetry',
      'use-behind-a-proxy',
      'move-from-n8n',
      'move-from-node-red',
      'move-from-rivet',
      'move-from-langflow',
      'move-from-flowise',
      'move-from-promptfoo',
    ],
  },
  {
    title: 'Concepts',
    folder: 'concepts',
    order: ['how-a-run-survives', 'your-file-and-the-canvas', 'what-flows-may-do', 'hosts'],
  },
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
      'tests',
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
