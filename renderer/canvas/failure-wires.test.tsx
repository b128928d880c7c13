/** The failure branch on the canvas: its port, and wires that are drawn from it, moved to it and read from it. */
import { act } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { checkFlow } from '../../engine/isomorphic.ts';
import { nodeTypes } from '../stores/flow/node-types.ts';
import { cardPlace, dragWire, type FlowPlace, openCanvas, type TestCanvas } from './testing/test-canvas.tsx';

const failed = 'when: { equals: { var: fetch.failed, value: true } }';
const succeeded = 'when: { not: { equals: { var: fetch.failed, value: true } } }';
const policy = ', policy: { continueOnError: true }';
const flow = ({ tolerant = policy, edges = '', layout = placed } = {}) => `# Kept.
flow: { name: ways }
nodes:
  - { id: fetch, type: echo, input: { text: hello }${tolerant} } # the first
  - { id: use, type: echo, input: { text: hello } }
  - { id: note, type: echo, input: { text: hello } }
edges:
  - { from: fetch, to: use }
${edges}${layout}`;
const placed = 'layout: { nodes: { fetch: { x: 0, y: 0 }, use: { x: 500, y: 0 }, note: { x: 500, y: 200 } } }\n';
const edgeToNote = `  - { from: fetch, to: note, ${failed} }\n`;

let canvas: TestCanvas;
afterEach(() => canvas.close());

const open = async (text: string): Promise<void> => {
  canvas = await openCanvas(text);
};
const port = (id = 'fetch'): HTMLElement => canvas.find(`[data-card="${id}"] > [data-handleid="failed"]`);
const rows = (): (string | null)[] =>
  [...canvas.host.querySelectorAll('.branch-rows > div')].map((row) => row.textContent);
const within = (id: string, { x, y }: FlowPlace): FlowPlace => {
  const at = cardPlace(canvas, id);
  return { x: at.x + x, y: at.y + y };
};
const edgeOf = (label: string): Element =>
  canvas.find(`.react-flow__edge[aria-label="${label}"]`).querySelector('.flow-edge') as Element;
const problems = (): string[] => checkFlow(canvas.text(), nodeTypes).diagnostics.map(({ code }) => code);

async function point(id: string): Promise<void> {
  const card = canvas.find(`[data-card="${id}"]`);
  await act(async () => {
    card.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    card.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
  });
  await canvas.window.settle();
}

describe('BB-50 a card with a tolerated failure', () => {
  test('has a failure port with a name and a description', async () => {
    await open(flow());
    expect(rows()).toEqual(['failedcontinues on error']);
    expect(port().dataset['failure']).toBe('true');
    expect(port().title).toBe('Taken if this node fails after all attempts');
    expect(canvas.find('[data-card="fetch"]').getAttribute('aria-description')).toBe('continues if it fails');
  });

  test('a wire from the port becomes an edge with its condition, which one undo removes', async () => {
    await open(flow());
    await dragWire(canvas, port(), within('note', { x: 100, y: 20 }));
    expect(canvas.text()).toBe(flow({ edges: edgeToNote }));
    expect(rows()).toEqual(['failednote']);
    await canvas.run('edit.undo');
    expect(canvas.text()).toBe(flow());
  });

  test.each([
    failed,
    'when: { equals: { var: \'fetch["failed"]\', value: true } }',
    'when: { in: { var: fetch.failed, value: [true] } }',
    'when: { not: { not: { exists: fetch.failed } } }',
    'when:\n      and:\n        - equals:\n            value: true\n            var: fetch.failed',
  ])('an edge with the condition %j starts at that port', async (when) => {
    const edge = when.includes('\n')
      ? `  - from: fetch\n    to: note\n    ${when}\n`
      : `  - { from: fetch, to: note, ${when} }\n`;
    await open(flow({ edges: edge }));
    expect(rows()).toEqual(['failednote']);
    const line = edgeOf('From fetch to note when fetch fails');
    const { x, y } = cardPlace(canvas, 'fetch');
    expect(line.getAttribute('d')).toMatch(new RegExp(`^M${x + 252} ${y + 81}L`));
    expect(line.getAttribute('data-failure')).toBe('true');
    expect(canvas.host.querySelector('.flow-edge-label')).toBeNull();
  });

  test('an edge moves from the plain port to the failure port and back, and to another card', async () => {
    await open(flow({ edges: edgeToNote }));
    await canvas.choose({ edges: ['fetch->use'] });
    await dragWire(canvas, canvas.find('[data-wire-end="source"]'), within('fetch', { x: 240, y: 82 }));
    const both = flow({ edges: edgeToNote }).replace('to: use }', `to: use, ${failed} }`);
    expect(canvas.text()).toBe(both);
    await canvas.choose({ edges: ['fetch->note'] });
    await dragWire(canvas, canvas.find('[data-wire-end="source"]'), within('use', { x: 240, y: 20 }));
    expect(canvas.text()).toBe(both.replace(edgeToNote, '  - { from: use, to: note }\n'));
    await canvas.run('edit.undo');
    expect(canvas.text()).toBe(both);
  });

  test('an edge of the failure port keeps its condition when its other end moves, and is gone after deletion', async () => {
    await open(flow({ edges: `  - { from: fetch, to: note, id: oops, ${failed} }\n` }));
    await canvas.choose({ edges: ['oops'] });
    await dragWire(canvas, canvas.find('[data-wire-end="target"]'), within('use', { x: 100, y: 20 }));
    expect(canvas.text()).toContain(`{ from: fetch, to: use, id: oops, ${failed} }`);
    await canvas.choose({ edges: ['oops'] });
    await canvas.run('edit.delete');
    expect(canvas.text()).toBe(flow());
  });

  test('both branches can lead to the same node', async () => {
    await open(flow());
    await dragWire(canvas, port(), within('use', { x: 100, y: 20 }));
    expect(canvas.text()).toBe(flow({ edges: `  - { from: fetch, to: use, ${failed} }\n` }));
    expect(problems()).toEqual([]);
  });
});

describe('BB-50 a card with a failure that ends the run', () => {
  const strict = flow({ tolerant: '' });
  const offer = (): HTMLElement => canvas.find('[data-wire-way="failed"]');

  test('offers the port under the pointer; a wire from it lets the run continue, in one step', async () => {
    await open(strict);
    expect(rows()).toEqual([]);
    await point('fetch');
    await dragWire(canvas, offer(), within('note', { x: 100, y: 20 }));
    expect(canvas.text()).toBe(flow({ edges: edgeToNote }));
    expect(canvas.undoLabel()).toBe('Connect fetch to note on failure');
    await canvas.run('edit.undo');
    expect(canvas.text()).toBe(strict);
  });

  test('a click on the port adds a node that handles the failure', async () => {
    await open(strict);
    await point('fetch');
    await act(async () => offer().querySelector('button')?.click());
    await canvas.window.settle();
    await canvas.pick('json.parse');
    expect(canvas.text()).toContain('input: { text: hello }, policy: { continueOnError: true } } # the first');
    expect(canvas.text()).toContain('text: "{{fetch.error.message}}"');
    expect(canvas.text()).toContain(`{ from: fetch, to: json_parse, ${failed} }`);
    expect(problems()).toEqual([]);
    await canvas.run('edit.undo');
    expect(canvas.text()).toBe(strict);
  });

  test('keeps an edge of the failure branch, reports that it is never taken, and F fixes it', async () => {
    await open(flow({ edges: edgeToNote }));
    await canvas.choose({ nodes: ['fetch'] });
    await canvas.run('edit.toggleContinue');
    expect(canvas.text()).toBe(flow({ tolerant: '', edges: edgeToNote }));
    expect(problems()).toEqual(['edge.never-fails']);
    expect(rows()).toEqual(['failednote, never']);
    expect(port().title).toContain('Never taken');
    await canvas.run('edit.toggleContinue');
    expect(canvas.text()).toBe(flow({ edges: edgeToNote }));
    expect(problems()).toEqual([]);
  });

  test('does not add a setting to the node if the flow does not fail fast', async () => {
    const text = strict.replace('{ name: ways }', '{ name: ways, policy: { failFast: false } }');
    await open(text);
    await point('fetch');
    await dragWire(canvas, offer(), within('note', { x: 100, y: 20 }));
    expect(canvas.text()).toBe(text.replace('layout:', `${edgeToNote}layout:`));
    expect(rows()).toEqual(['failednote']);
  });
});

describe('BB-50 by keyboard', () => {
  test('Shift+F adds a node for the failure of the selected one', async () => {
    await open(flow({ tolerant: '' }));
    await canvas.choose({ nodes: ['fetch'] });
    await canvas.run('edit.addForFailure');
    expect(canvas.find('.quick-add').getAttribute('aria-label')).toBe('Add a node to run when fetch fails');
    await canvas.pick('control.noop');
    expect(canvas.text()).toContain(`{ from: fetch, to: noop, ${failed} }`);
    expect(canvas.text()).toContain('policy: { continueOnError: true }');
  });

  test('E toggles whether edges are taken only on success', async () => {
    await open(flow({ edges: edgeToNote }));
    const limited = flow({ edges: edgeToNote }).replace('to: use }', `to: use, ${succeeded} }`);
    await canvas.choose({ edges: ['fetch->use'] });
    await canvas.run('edit.toggleSuccess');
    expect(canvas.text()).toBe(limited);
    expect(canvas.find('.flow-edge-label').textContent).toContain('succeeded');
    await canvas.run('edit.toggleSuccess');
    expect(canvas.text()).toBe(flow({ edges: edgeToNote }));
    await canvas.choose({ nodes: ['fetch'] });
    await canvas.run('edit.toggleSuccess');
    expect(canvas.text()).toBe(limited);
    await canvas.run('edit.undo');
    expect(canvas.text()).toBe(flow({ edges: edgeToNote }));
  });

  test('E explains why it changes nothing', async () => {
    await open(flow({ edges: edgeToNote }));
    await canvas.choose({ edges: ['fetch->note'] });
    await canvas.run('edit.toggleSuccess');
    expect(canvas.text()).toBe(flow({ edges: edgeToNote }));
    expect(canvas.window.stores.notices.getState().list.map(({ title }) => title)).toContain('No edge was changed');
  });
});

describe('BB-50 the failure port', () => {
  test('appears beside the branches of a switch, even if one is named failed', async () => {
    await open(`flow: { name: ways }
nodes:
  - id: pick
    type: control.switch
    policy: { continueOnError: true }
    input: { value: 1, cases: [{ when: { exists: value }, route: failed }] }
  - { id: note, type: echo, input: { text: hello } }
edges:
  - { from: pick, to: note, when: { equals: { var: pick.route, value: failed } } }
`);
    expect(rows()).toEqual(['failednote', 'defaultends here', 'failedcontinues on error']);
    const target = within('note', { x: 100, y: 20 });
    await dragWire(canvas, port('pick'), target);
    expect(canvas.text()).toContain('{ from: pick, to: note, when: { equals: { var: pick.failed, value: true } } }');
    expect(rows()).toEqual(['failednote', 'defaultends here', 'failednote']);
  });

  test('is at the bottom of a card in a top-down flow, where edges show their branch', async () => {
    await open(flow({ edges: edgeToNote, layout: 'layout: { direction: down }\n' }));
    expect(port().dataset['handlepos']).toBe('bottom');
    expect([...canvas.host.querySelectorAll('.flow-edge-label > text')].map(({ textContent }) => textContent)).toEqual([
      'failed',
    ]);
  });

  test.each(['right', 'down'])('is on the container of a loop that runs %s, and in its body', async (direction) => {
    await open(`flow: { name: ways }
nodes:
  - { id: each, type: control.foreach, input: { items: [1], body: [fetch, note] }${policy} }
  - { id: fetch, type: echo, input: { text: hello }${policy} }
  - { id: note, type: echo, input: { text: hello } }
  - { id: after, type: echo, input: { text: hello } }
edges:
  - { from: fetch, to: note, ${failed} }
  - { from: each, to: after, ${failed.replace('fetch', 'each')} }
layout: { direction: ${direction} }
`);
    expect(canvas.host.querySelectorAll('[data-handleid="failed"]')).toHaveLength(2);
    expect(port('each').dataset['failure']).toBe('true');
    expect(edgeOf('From each to after when each fails').getAttribute('d')).toMatch(/^M/);
    expect(edgeOf('From fetch to note when fetch fails').getAttribute('d')).toMatch(/^M/);
    const labels = [...canvas.host.querySelectorAll('.flow-edge-label > text')].map(({ textContent }) => textContent);
    expect(labels).toEqual(direction === 'right' ? ['failed'] : ['failed', 'failed']);
  });
});
