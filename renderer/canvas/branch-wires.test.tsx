import { afterEach, beforeEach, expect, test } from 'vitest';
import { cardPlace, dragWire, type FlowPlace, openCanvas, type TestCanvas } from './testing/test-canvas.tsx';

const edge = '  - { from: route, to: announce, when: { equals: { var: route.route, value: minor } } }\n';
const text = `flow: { name: ways }
nodes:
  - id: route
    type: control.switch
    input:
      value: minor
      cases:
        - { when: { equals: { var: value, value: minor } }, route: minor }
        - { when: { equals: { var: value, value: major } }, route: major }
  - { id: announce, type: echo, input: { text: hello } }
  - { id: approve, type: echo, input: { text: hello } }
edges:
${edge}`;
const layout =
  'layout: { nodes: { route: { x: 0, y: 0 }, announce: { x: 500, y: 0 }, approve: { x: 500, y: 200 } } }\n';
const placed = `${text}${layout}`;

let canvas: TestCanvas;

beforeEach(async () => {
  canvas = await openCanvas(placed);
});
afterEach(() => canvas.close());

function portOf(route: string): HTMLElement {
  return canvas.find(`[data-card="route"] > [data-handleid="${route}"]`);
}

const drag = (from: Element, to: FlowPlace): Promise<void> => dragWire(canvas, from, to);
const placeOf = (id: string): FlowPlace => cardPlace(canvas, id);

test("an edge of a branch starts at the branch's row, without its condition written on it", () => {
  const rows = [...canvas.host.querySelectorAll('.branch-rows > div')].map((row) => row.textContent);
  expect(rows).toEqual(['minorannounce', 'majorends here', 'defaultends here']);
  expect(canvas.host.querySelector('.flow-edge-label')).toBeNull();
  expect(canvas.find('.react-flow__edge').getAttribute('aria-label')).toBe('From route to announce by minor');
  const line = canvas.find('.react-flow__edge .flow-edge').getAttribute('d') ?? '';
  const { x, y } = placeOf('route');
  expect(line.startsWith(`M${x + 252} ${y + 81}`)).toBe(true);
});

test('a wire from a row becomes an edge with its condition, which one undo removes', async () => {
  const { x, y } = placeOf('approve');
  await drag(portOf('major'), { x: x + 100, y: y + 20 });
  const added = '  - { from: route, to: approve, when: { equals: { var: route.route, value: major } } }\n';
  expect(canvas.text()).toBe(text + added + layout);
  await canvas.run('edit.undo');
  expect(canvas.text()).toBe(placed);
});

test('an edge moves to another row, and its end to another card, in one step each', async () => {
  await canvas.choose({ edges: ['route->announce'] });
  const { x, y } = placeOf('route');
  await drag(canvas.find('[data-wire-end="source"]'), { x: x + 200, y: y + 137 });
  expect(canvas.text()).toBe(placed.replace(edge, edge.replace('value: minor', 'value: default')));
  await canvas.choose({ edges: ['route->announce'] });
  const target = placeOf('approve');
  await drag(canvas.find('[data-wire-end="target"]'), { x: target.x + 100, y: target.y + 20 });
  const moved = edge.replace('to: announce', 'to: approve').replace('value: minor', 'value: default');
  expect(canvas.text()).toBe(placed.replace(edge, moved));
});

test('an edge that moves to a card with only one branch loses the condition', async () => {
  await canvas.choose({ edges: ['route->announce'] });
  const { x, y } = placeOf('approve');
  await drag(canvas.find('[data-wire-end="source"]'), { x: x + 100, y: y + 20 });
  expect(canvas.text()).toBe(placed.replace(edge, '  - { from: approve, to: announce }\n'));
});

test('a node that is added after a row, or inserted into its edge, is connected to the same branch', async () => {
  await drag(portOf('major'), { x: 0, y: 0 });
  await canvas.pick('control.noop');
  expect(canvas.text()).toContain('from: route, to: noop, when: { equals: { var: route.route, value: major } }');
  await canvas.choose({ edges: ['route->announce'] });
  await canvas.run('edit.addNode');
  await canvas.pick('control.wait');
  expect(canvas.text()).toContain('from: route, to: wait, when: { equals: { var: route.route, value: minor } }');
  expect(canvas.text()).toContain('{ from: wait, to: announce }');
});

test('if the cases are known only at run time, the card has one port and the edges show their conditions', async () => {
  canvas.close();
  canvas = await openCanvas(
    text
      .replace(/cases:\n(.*\n){2}/, 'cases: "{{flow.input.cases}}"\n')
      .replace('flow: { name: ways }', 'flow: { name: ways, input: { cases: { type: array } } }'),
  );
  expect(canvas.host.querySelector('.branch-rows')).toBeNull();
  expect(canvas.host.querySelectorAll('[data-card="route"] > .react-flow__handle')).toHaveLength(2);
  expect(canvas.find('.flow-edge-label').textContent).toContain('minor');
});

test('in a top-down flow the ports are at the bottom and edges show their branches', async () => {
  canvas.close();
  canvas = await openCanvas(`${text}layout: { direction: down }\n`);
  expect(portOf('minor').dataset['handlepos']).toBe('bottom');
  expect(canvas.find('.flow-edge-label > text').textContent).toBe('minor');
});
