/**
 * Random flows of built-in node types, which any host can run, as texts.
 */
import fc from 'fast-check';

const kinds = [
  'echo',
  'value',
  'wait',
  'fail',
  'retried',
  'write',
  'loop',
  'failing loop',
  'asks',
  'enters',
  'call',
] as const;

type Kind = (typeof kinds)[number];

const nodePlan = fc.record({
  kind: fc.constantFrom(...kinds),
  when: fc.constantFrom(undefined, undefined, undefined, true, false),
  continueOnError: fc.constantFrom(undefined, true, false),
});

const flowPlan = fc.record({
  nodes: fc.array(nodePlan, { minLength: 1, maxLength: 8 }),
  /** Pairs of positions. The smaller one of a pair comes first. */
  links: fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 10 }),
  failFast: fc.boolean(),
  maxParallel: fc.integer({ min: 1, max: 3 }),
});

/** A random flow. */
export interface PlainFlow {
  readonly text: string;
  readonly maxParallel: number;
}

/** Text of the flow that random flows call, `called.flow.yaml`. */
export const plainCalledFlow = `flow: { name: Called, outputs: { said: "{{said.text}}" } }
nodes:
  - { id: said, type: echo, input: { text: called } }
  - { id: pause, type: control.wait, input: { ms: 5 } }
edges: [{ from: said, to: pause }]
`;

/** Random flows whose nodes bind to the nodes before them. */
export const plainFlows: fc.Arbitrary<PlainFlow> = flowPlan.map(({ nodes, links, failFast, maxParallel }) => {
  const lines = nodes.flatMap(({ kind, when, continueOnError }, index) => {
    const condition = when === undefined ? '' : `, when: { equals: { var: flow.input.yes, value: ${when} } }`;
    const policy = policyOf(kind, continueOnError);
    return nodesOf(kind, `n${index}`).map(
      (node, place) => `  - { ${node}${place === 0 ? `${condition}${policy}` : ''} }\n`,
    );
  });
  const pairs = new Map(
    links
      .map(([one, other]) => [one % nodes.length, other % nodes.length].sort((a, b) => a - b))
      .filter(([from, to]) => from !== to)
      .map(([from, to]) => [`${from} ${to}`, `  - { from: n${from}, to: n${to} }\n`]),
  );
  const edges = pairs.size === 0 ? ' []\n' : `\n${[...pairs.values()].join('')}`;
  const head = `flow: { name: Random, inputs: { yes: { type: boolean, default: true } }, policy: { failFast: ${failFast}, maxParallel: ${maxParallel} } }`;
  return { text: `${head}\nnodes:\n${lines.join('')}edges:${edges}`, maxParallel };
});

function policyOf(kind: Kind, continueOnError: boolean | undefined): string {
  const parts = [
    ...(continueOnError === undefined ? [] : [`continueOnError: ${continueOnError}`]),
    ...(kind === 'retried' ? ['retry: { maxAttempts: 3, backoffMs: 5 }'] : []),
  ];
  return parts.length === 0 ? '' : `, policy: { ${parts.join(', ')} }`;
}

/** Returns the node and, for loops, its body. */
function nodesOf(kind: Kind, id: string): readonly string[] {
  switch (kind) {
    case 'echo':
      return [`id: ${id}, type: echo, input: { text: "${id} {{flow.input.yes}}" }`];
    case 'value':
      return [`id: ${id}, type: constant, input: { value: { id: ${id}, list: [1, 2] } }`];
    case 'wait':
      return [`id: ${id}, type: control.wait, input: { ms: 8 }`];
    case 'fail':
    case 'retried':
      return [`id: ${id}, type: control.fail, input: { message: "${id} fails" }`];
    case 'write':
      return [`id: ${id}, type: file.write, input: { path: "out/${id}.txt", text: ${id} }`];
    case 'loop':
      return [
        `id: ${id}, type: control.foreach, input: { items: [a, b, c], body: [${id}_b] }`,
        `id: ${id}_b, type: echo, input: { text: "{{item}}" }`,
      ];
    case 'failing loop':
      return [
        `id: ${id}, type: control.foreach, input: { items: [a, b], body: [${id}_b] }`,
        `id: ${id}_b, type: control.fail, input: { message: "{{item}}" }`,
      ];
    case 'asks':
      return [`id: ${id}, type: human_approval, input: { title: "May ${id}?" }`];
    case 'enters':
      return [
        `id: ${id}, type: user_input, input: { title: "${id}?", schema: { type: object, properties: { text: { type: string } } } }`,
      ];
    case 'call':
      return [`id: ${id}, type: flow, input: { flow: called.flow.yaml }`];
  }
}
