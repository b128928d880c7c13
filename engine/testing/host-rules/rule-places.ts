/**
 * Which rules about flows, runs and requests the shared list tests on both hosts, and why it does not test the others.
 */

/** Numbers of all rules about flows, runs, requests and hosts. */
export const ruleNumbers: readonly string[] = [
  ...numbered('FE-', [1, 8], [10, 18], [20, 25], [30, 36], [40, 47], [50, 57], [60, 65], [70, 72], [80, 84], [90, 92]),
  ...numbered('X-', [1, 14]),
  ...Array.from('abcdefghi', (letter) => `12.1${letter}`),
  ...Array.from({ length: 11 }, (_, index) => `12.${index + 2}`),
  ...Array.from({ length: 17 }, (_, index) => `13.${index + 1}`),
];

function numbered(prefix: string, ...ranges: readonly (readonly [first: number, last: number])[]): readonly string[] {
  return ranges.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => `${prefix}${String(first + index).padStart(2, '0')}`),
  );
}

/** Rules about runs that only the local host can obey, with the reason. At most five. */
export const localOnly: Readonly<Record<string, string>> = {
  'FE-71': 'Workers have only built-in types, none of which is long-lived. Before a start, both hosts use one check.',
  'FE-72': 'Workers have only built-in types, none of which reads an inbox. Only the library can add one.',
  '13.6': 'Nobody can grant permissions on the machine of a worker, so a node without a permission fails there.',
  '13.15': 'Reruns are made by the local engine, from its own history.',
};

/** Rules that do not concern runs on a host, with the reason. */
export const notAboutHosts: Readonly<Record<string, string>> = {
  'FE-03': 'the order of checks before a run exists',
  'FE-12': 'the arguments of the function that runs a flow; both hosts call it',
  'FE-16': 'the same function with a flow that was not checked; no host starts one',
  'X-09': 'the plan of a conversation; conversations have no other host than the local one',
  'X-10': 'the plan of a conversation',
  '12.3': 'options of a command',
  '12.6': 'the inbox of the window',
  '12.8': 'names of tools in requests to models',
  '12.9': 'connections to MCP servers; their calls are made by the same code in a step',
  '12.10': 'manifests of products',
  '12.11': 'exports, which read a history',
  '12.12': 'conversations',
  '13.5': 'pausing, which no host has yet',
  '13.7': 'proposals, which no host has yet',
  '13.8': 'triggers, which no host has yet',
  '13.9': 'links that answer, which no host has yet',
  '13.10': 'connections to MCP servers',
  '13.11': 'differences between hosts; see the tests in engine/host/durable',
  '13.12': 'conversations',
  '13.13': 'test files, which no host has yet',
  '13.14': 'names of commands and fields',
};
