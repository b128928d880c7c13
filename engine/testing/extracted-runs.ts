/**
 * Runs a flow, and the same flow with some of its nodes extracted to another flow, for tests.
 */
import fc from 'fast-check';
import { applyEdits } from '../base/text-edit.ts';
import { editFlow, extractedText } from '../language/edit/edit-flow.ts';
import type { CompiledFlow } from '../language/flow/compiled-flow.ts';
import type { JsonMap, JsonValue } from '../language/json/json-value.ts';
import { createFakeCapabilities } from './fake-capabilities.ts';
import { compileText, testRun } from './test-run.ts';

export interface ExtractedTexts {
  /** Text of the calling flow. */
  readonly calling: string;
  /** Text of the new flow. */
  readonly called: string;
}

const file = 'part.flow.yaml';

/** Extracts nodes; returns the message of the refusal if that is not possible. */
export function extractIn(
  text: string,
  nodes: readonly string[],
  notes: readonly string[] = [],
): ExtractedTexts | string {
  const extraction = { nodes, notes, file, name: 'part' };
  const edit = editFlow(text, { do: 'extract', ...extraction });
  if (!edit.ok) return edit.error.message;
  return { calling: applyEdits(text, edit.edits), called: extractedText(text, extraction) };
}

/** How a run ended, and its output. */
export interface RunOutcome {
  readonly status: string;
  readonly output: JsonValue | undefined;
}

/** @param called text of the flow that its nodes call */
export async function outcomeOf(text: string, inputs: JsonMap, called?: string): Promise<RunOutcome> {
  const child = called === undefined ? undefined : compileText(called);
  return runCompiled(compileText(text), inputs, child);
}

async function runCompiled(flow: CompiledFlow, inputs: JsonMap, child?: CompiledFlow): Promise<RunOutcome> {
  const { capabilities } = createFakeCapabilities({
    flows: {
      async run({ input }) {
        if (child === undefined) throw new Error('No flow is known');
        const { status, output = null } = await runCompiled(child, input as JsonMap);
        if (status !== 'completed') throw new Error('The called flow failed');
        return output;
      },
    },
  });
  const { end } = await testRun(flow, { inputs, capabilities });
  const output = end.output === undefined ? undefined : withoutPlaces(end.output);
  return { status: end.status, output };
}

/** A missing value is reported by its path, which differs if it is inside the output of a call. */
function withoutPlaces(output: JsonValue): JsonValue {
  const text = JSON.stringify(output).replace(/The path .*? if it may be missing\./g, 'The path has no value.');
  return JSON.parse(text) as JsonValue;
}

/** Returns a small number, for many dependent choices. */
type Dice = (sides: number) => number;

/** A flow as JSON text, with a selection of nodes. */
export const randomExtraction = fc.array(fc.nat(999), { minLength: 160, maxLength: 160 }).map((numbers) => {
  let next = 0;
  const dice: Dice = (sides) => (numbers[next++ % numbers.length] ?? 0) % sides;
  return randomFile(dice);
});

const count = 7;

type LoopKind = 'none' | 'items' | 'passes';

const body = ['n5', 'n6'];
const loops: Readonly<Record<Exclude<LoopKind, 'none'>, JsonMap>> = {
  items: { type: 'control.foreach', input: { items: '{{flow.input.list}}', body } },
  passes: {
    type: 'control.loop',
    input: {
      body,
      until: { exists: 'n6.value' },
      while: { not: { equals: { var: 'n5.value', value: 7 } } },
      maxIterations: 2,
      onLimit: 'finish',
    },
  },
};

/** The outputs of the nodes in the body, one by one. */
const bodyOutputs =
  '{{?n4.iterations.0.outputs.n5.value}} {{?n4.iterations[1].outputs["n6"].value}} {{?n4.last.n6.value}} {{?n4.iterations.0.outputs.n6}}';

function randomFile(dice: Dice): { readonly text: string; readonly nodes: readonly string[] } {
  const edges = randomEdges(dice);
  const inBody = dice(3) === 0 ? [5, 6] : [];
  const before = (index: number): readonly string[] => {
    const found = new Set<number>();
    for (let at = index; at >= 0; at--) {
      if (at !== index && !found.has(at)) continue;
      for (const [from, to] of edges) if (to === at) found.add(from);
    }
    return [...found].map((at) => `n${at}`);
  };
  const loop = 4;
  const passes = dice(2) === 0;
  const isInner = (index: number): boolean => inBody.includes(index);
  const kept = edges.filter(([from, to]) => isInner(from) === isInner(to));
  const rootsOf = (index: number): readonly string[] => {
    if (!isInner(index)) return before(index);
    return [...before(loop), ...(index === 6 ? ['n5'] : []), passes ? 'previous' : 'item', 'loop'];
  };
  const kindOf = (index: number): LoopKind => {
    if (index !== loop || inBody.length === 0) return 'none';
    return passes ? 'passes' : 'items';
  };
  const nodes = Array.from({ length: count }, (_, index) =>
    randomNode(dice, { id: `n${index}`, roots: rootsOf(index), loop: kindOf(index) }),
  );
  const doc = {
    flow: {
      name: 'Random',
      input: { who: 'world', list: [1, 2] },
      ...(dice(2) === 0 ? { policy: { failFast: dice(2) === 0 } } : {}),
      ...(dice(3) > 0
        ? {
            outputs: {
              first: '{{?n2}}',
              all: '{{?n1.value}} {{?n3.value}} {{?n4.value}} {{?n6.value}}',
              loop: bodyOutputs,
            },
          }
        : {}),
    },
    nodes,
    edges: [
      ...kept.map(([from, to]) => ({
        from: `n${from}`,
        to: `n${to}`,
        ...maybeWhen(dice, [...before(from), `n${from}`]),
      })),
      ...(inBody.length > 0 && dice(2) === 0 && !kept.some(([from, to]) => from === 5 && to === 6)
        ? [{ from: 'n5', to: 'n6' }]
        : []),
    ],
  };
  const first = dice(count);
  const size = 1 + dice(3);
  const chosen = Array.from({ length: count }, (_, index) => index).filter(
    (index) => index >= first && index < first + size,
  );
  return { text: JSON.stringify(doc, null, 1), nodes: chosen.map((index) => `n${index}`) };
}

function randomEdges(dice: Dice): readonly (readonly [number, number])[] {
  const pairs = Array.from({ length: count }, (_, to) =>
    Array.from({ length: to }, (_unused, from) => [from, to] as const),
  ).flat();
  return pairs.filter(() => dice(3) === 0);
}

function randomNode(
  dice: Dice,
  { id, roots, loop }: { readonly id: string; readonly roots: readonly string[]; readonly loop: LoopKind },
): JsonMap {
  const path = randomPath(dice, roots);
  const bound = [`{{?${path}}}`, `{{${path} | default:7}}`, `{{${path}}}`, `is {{?${path}}}`, 'plain', 1, true, null][
    dice(8)
  ];
  const policy = [undefined, undefined, { continueOnError: true }, { continueOnError: false }][dice(4)];
  const fails = dice(8) === 0;
  const base = fails
    ? { type: 'control.fail', input: { message: 'no' } }
    : { type: 'constant', input: { value: bound ?? null } };
  return {
    id,
    ...(loop === 'none' ? base : loops[loop]),
    ...(dice(5) === 0 ? (maybeWhen(dice, roots) as JsonMap) : {}),
    ...(policy === undefined ? {} : { policy }),
    ...(dice(9) === 0 ? { disabled: true } : {}),
  };
}

function randomPath(dice: Dice, roots: readonly string[]): string {
  const root = roots[dice(roots.length + 1)];
  if (root === undefined) return ['flow.input.who', 'flow.input.none', 'flow.input.list.1'][dice(3)] ?? '';
  if (root === 'item') return 'item';
  if (root === 'previous')
    return ['previous.n5.value', 'previous.n6.value', 'previous.n6.reason', 'previous.n5'][dice(4)] ?? '';
  if (root === 'loop') return 'loop.index';
  return `${root}${['', '.value', '.value', '.value', '.reason', '.failed', '.error.message', '.skipped'][dice(8)]}`;
}

function maybeWhen(dice: Dice, roots: readonly string[]): { readonly when?: JsonMap } {
  const path = randomPath(dice, roots);
  const leaves: readonly JsonMap[] = [
    { exists: path },
    { equals: { var: path, value: 1 } },
    { equals: { var: path, value: true } },
    { equals: { var: path, value: 'edge' } },
  ];
  const leaf = leaves[dice(4)] ?? {};
  const choice = dice(5);
  if (choice < 2) return {};
  return { when: choice === 2 ? leaf : choice === 3 ? { not: leaf } : { or: [leaf, { exists: 'flow.input.none' }] } };
}
