/**
 * Measures editing a flow file of 3,000 lines on the thread that does the work: parsing the text into a graph after one
 * keystroke, including cloning the data sent to the window, and edits made on the canvas and in forms. The baseline is
 * the YAML parser alone, run alternately in the same process.
 */
import { parseDocument } from 'yaml';
import {
  applyEdits,
  builtinTypes,
  checkFlow,
  createNodeRegistry,
  editFlow,
  type FlowChange,
} from '../engine/isomorphic.ts';
import { median, report } from './statistics.ts';

const lines = 3_000;
const rounds = 15;
const warmUpRounds = 4;

const registry = createNodeRegistry(builtinTypes);

/** Returns a flow in the style of a handwritten file, with occasional comments and a few lines per node. */
function handWrittenFlow(): string {
  const nodes: string[] = [];
  const edges: string[] = [];
  for (let index = 0; nodes.length + edges.length < lines - 4; index++) {
    if (index % 10 === 0) nodes.push(`  # part ${index / 10}`);
    const words = index === 0 ? 'begin' : `{{step_${index - 1}.text}} and ${index}`;
    nodes.push(
      `  - id: step_${index}`,
      '    type: echo',
      '    input:',
      `      text: "${words}"   # said by step ${index}`,
    );
    if (index > 0) edges.push(`  - { from: step_${index - 1}, to: step_${index} }`);
  }
  return ['flow:', '  name: Long', 'nodes:', ...nodes, 'edges:', ...edges, ''].join('\n');
}

function timeOf(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

/** Performs the work of the window's worker: validates, locates every node, and clones the result that is sent. */
function toGraph(text: string): void {
  const { parsed, diagnostics } = checkFlow(text, registry);
  const ranges = new Map((parsed.doc?.nodes ?? []).map(({ id }) => [id, parsed.nodeRange(id)]));
  if (ranges.size === 0) throw new Error('The flow was not parsed');
  structuredClone({ doc: parsed.doc, diagnostics, ranges });
}

/** Each change applies to the text left by the previous one, like consecutive edits on the canvas. */
const changes: readonly { readonly what: string; readonly change: FlowChange }[] = [
  { what: 'setting a field', change: { do: 'set-node', id: 'step_300', path: ['input', 'text'], value: 'other' } },
  { what: 'moving a node', change: { do: 'move', positions: { step_300: { x: 10, y: 20 } } } },
  { what: 'renaming a node', change: { do: 'rename', id: 'step_300', to: 'other' } },
  { what: 'removing a node', change: { do: 'remove', nodes: ['other'], edges: [], heal: true } },
];

function changed(text: string, wish: FlowChange): string {
  const edit = editFlow(text, wish);
  if (!edit.ok) throw new Error(edit.error.message);
  return applyEdits(text, edit.edits);
}

let drawn = '';
const text = handWrittenFlow();
const key = text.indexOf('and 300') + 4;
const works: readonly (readonly [string, (round: number) => void])[] = [
  ['text to graph after one keystroke', (round) => toGraph(`${text.slice(0, key)}${round % 10}${text.slice(key)}`)],
  [
    'first change after typing',
    () => {
      drawn = changed(text, { do: 'set-flow', path: ['name'], value: 'Longer' });
    },
  ],
  ...changes.map(
    ({ what, change }) =>
      [
        what,
        () => {
          drawn = changed(drawn, change);
        },
      ] as const,
  ),
];
const parser: number[] = [];
const ours = new Map<string, number[]>(works.map(([what]) => [what, []]));
for (let round = -warmUpRounds; round < rounds; round++) {
  const parsing = timeOf(() => parseDocument(text));
  const times = works.map(([what, work]) => [what, timeOf(() => work(round + warmUpRounds))] as const);
  if (round < 0) continue;
  parser.push(parsing);
  for (const [what, time] of times) ours.get(what)?.push(time);
}
console.log(`file of ${text.split('\n').length} lines, ${text.length} characters, median of ${rounds}`);
const yardstick = { name: 'yaml parser alone', value: median(parser) };
for (const [what, times] of ours) report({ what, ours: median(times), yardstick, unit: 'ms' });
