/**
 * Random flows of pure nodes with valid and invalid bindings, so that type validation can be compared with a run.
 */
import fc from 'fast-check';
import type { EdgeDoc, NodeDoc, WhenExpr } from '../language/flow/flow-doc.ts';
import type { JsonMap, JsonValue } from '../language/json/json-value.ts';

export interface RandomTypedFlow {
  /** JSON, which is also YAML. */
  readonly text: string;
  readonly nodes: readonly NodeDoc[];
  readonly edges: readonly EdgeDoc[];
}

/** Returns a random integer below `count`. */
type Draw = (count: number) => number;

/** Fields of a source: paths that exist in its type, and some that do not. */
const fieldsOfTypes: Readonly<Record<string, readonly string[]>> = {
  echo: ['text', 'text', 'txt', 'text.length'],
  template: ['text', 'value'],
  constant: ['value', 'value.n', 'value.list', 'value.list[0]', 'value.map.x', 'value.none', 'val'],
  'json.parse': ['value', 'value.n', 'value.list', 'value.map', 'value.list[1].x', 'vale'],
  'json.query': ['value', 'value[0]', 'value.n', 'values'],
  'list.map': ['items', 'items[0]', 'items[0].m', 'items.m', 'item'],
  'list.filter': ['items', 'items[0]', 'items[1].n'],
  'list.sort': ['items', 'items[0].n', 'sorted'],
  'list.unique': ['items', 'items[0]'],
  'text.join': ['text', 'texts'],
  'text.split': ['items', 'items[0]', 'items[0].x', 'text'],
  'condition.equals': ['value', 'equal'],
  'control.if': ['condition', 'value'],
  'control.switch': ['route', 'value', 'value.n', 'way'],
  'control.noop': ['value', 'value.n', 'value.list'],
  'control.wait': ['waitedMs', 'ms'],
  'control.fail': ['error.message', 'failed', 'text'],
  'control.foreach': [
    'iterations',
    'iterations[0].item',
    'iterations[0].outputs.BODY.text',
    'iterations[0].outputs.BODY.error.code',
    'iterations[0].index',
    'iterations[0].outputs.other',
    'items',
  ],
  'control.loop': ['last.BODY.text', 'reason', 'iterations[0].outputs.BODY.text', 'last.other', 'count'],
};

const types = Object.keys(fieldsOfTypes);
const values: readonly JsonValue[] = [
  ...['text', '', 0, 7, 2.5, true, false, [], ['a', 'b'], [1, 2], [{ n: 1 }, { n: 2 }], {}],
  ...[{ n: 1, list: ['x'], map: { x: 'y' } }, { n: 'one', list: [{ x: 1 }] }, { list: [] }, null],
];

/** @param small flows are easier to read */
export const randomTypedFlows: fc.Arbitrary<RandomTypedFlow> = fc
  .array(fc.nat(1_000_000), { minLength: 120, maxLength: 120 })
  .map((numbers) => {
    let at = 0;
    return new Maker((count) => (numbers[at++ % numbers.length] ?? 0) % count).make();
  });

class Maker {
  readonly #draw: Draw;
  readonly #nodes: NodeDoc[] = [];
  readonly #edges: EdgeDoc[] = [];
  /** Nodes of the flow itself that later ones may bind to. */
  readonly #readable: NodeDoc[] = [];

  constructor(draw: Draw) {
    this.#draw = draw;
  }

  make(): RandomTypedFlow {
    const count = 3 + this.#draw(6);
    for (let index = 0; index < count; index++) this.#add(`n${index}`);
    const doc = {
      flow: {
        name: 'random',
        policy: { failFast: false },
        inputs: {
          word: { type: 'string', enum: ['yes', 'no'], default: 'yes' },
          rows: { type: 'array', default: [{ n: 1 }] },
          maybe: { type: 'integer' },
        },
      },
      nodes: this.#nodes,
      edges: this.#edges,
    };
    return { text: JSON.stringify(doc), nodes: this.#nodes, edges: this.#edges };
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[this.#draw(items.length)] as Item;
  }

  #add(id: string): void {
    const type = this.#pick(types);
    const before = this.#readable.at(-1);
    const node: NodeDoc = {
      id,
      type,
      ...this.#partsOf(type, id),
      ...(this.#draw(6) === 0 ? { when: this.#condition() } : {}),
      ...(this.#draw(25) === 0 ? { disabled: true } : {}),
    };
    this.#nodes.push(node);
    this.#readable.push(node);
    if (before === undefined) return;
    this.#edges.push({ from: before.id, to: id, ...(this.#draw(8) === 0 ? { when: this.#condition() } : {}) });
  }

  #partsOf(type: string, id: string): Pick<NodeDoc, 'input' | 'config'> {
    switch (type) {
      case 'constant':
        return { input: { value: this.#draw(3) === 0 ? this.#value() : this.#pick(values) } };
      case 'template':
        return { input: { value: this.#value() }, config: { template: 'It is {{value}}' } };
      case 'json.parse':
        return this.#parsing();
      case 'json.query':
        return { input: { value: this.#value() }, config: { path: this.#pick(['$', '$.n', '$[*]', '$.list']) } };
      case 'list.map':
        return { input: { items: this.#value() }, config: { template: this.#pick<JsonValue>(itemTemplates) } };
      case 'list.filter':
        return { input: { items: this.#value() }, config: { when: this.#pick(itemConditions) as JsonValue } };
      case 'list.sort':
      case 'list.unique':
      case 'text.join':
        return { input: { items: this.#value() } };
      case 'condition.equals':
        return { input: { left: this.#value(), right: this.#value() } };
      case 'control.if':
        return { input: { condition: this.#condition() as JsonValue } };
      case 'control.switch':
        return {
          input: { value: this.#value(), cases: [{ when: this.#pick(valueConditions) as JsonValue, route: 'one' }] },
        };
      case 'control.wait':
        return { input: { ms: this.#draw(3) === 0 ? this.#value() : 0 } };
      case 'control.fail':
        return { input: { message: this.#text() } };
      case 'control.foreach':
        return { input: { items: this.#value(), tolerate: true, body: [this.#bodyOf(id, 'item')] } };
      case 'control.loop':
        return {
          input: {
            body: [this.#bodyOf(id, 'previous')],
            until: this.#pick(loopConditions(`b_${id}`)) as JsonValue,
            maxIterations: 2,
            onLimit: 'finish',
          },
        };
      case 'control.noop':
        return { input: this.#draw(4) === 0 ? {} : { value: this.#value() } };
      default:
        return { input: { text: this.#text() } };
    }
  }

  #parsing(): Pick<NodeDoc, 'input' | 'config'> {
    const schema = this.#pick<JsonMap | undefined>([undefined, ...Object.values(parsed)]);
    const known = Object.entries(parsed).find(([, one]) => one === schema);
    return schema === undefined || known === undefined
      ? { input: { text: this.#pick(['{"n":1}', '[1]', '5', '"x"']) } }
      : { input: { text: known[0] }, config: { schema } };
  }

  /** Adds the only node of a body. */
  #bodyOf(loop: string, root: string): string {
    const id = `b_${loop}`;
    const own = root === 'item' ? ['item', 'item.n', 'item.none', 'loop.index', 'loop.place'] : [`previous.${id}.text`];
    const binding = `{{${this.#pick(['', '?'])}${this.#pick(own)}}}`;
    this.#nodes.push({ id, type: 'echo', input: { text: this.#draw(2) === 0 ? binding : this.#text() } });
    return id;
  }

  #path(): string {
    if (this.#readable.length === 0 || this.#draw(6) === 0)
      return this.#pick(['flow.input.word', 'flow.input.rows', 'flow.input.rows[0].n', 'flow.input.maybe']);
    const source = this.#pick(this.#readable);
    const field = this.#pick([...(fieldsOfTypes[source.type] ?? []), 'error.message', 'skipped']);
    return this.#draw(12) === 0 ? source.id : `${source.id}.${field.replace('BODY', `b_${source.id}`)}`;
  }

  #binding(): string {
    const path = this.#path();
    const form = this.#draw(8);
    if (form === 0) return `{{?${path}}}`;
    return form === 1 ? `{{${path} | default:${JSON.stringify(this.#pick(values))}}}` : `{{${path}}}`;
  }

  #value(): JsonValue {
    const form = this.#draw(7);
    if (form === 0) return this.#pick(values.filter((value) => value !== null));
    if (form === 1) return `so: ${this.#binding()}`;
    if (form === 2) return [this.#binding(), { n: this.#binding() }];
    return this.#binding();
  }

  #text(): string {
    return this.#draw(3) === 0 ? `say ${this.#binding()}` : this.#binding();
  }

  #condition(): WhenExpr {
    const path = this.#path();
    const form = this.#draw(5);
    if (form === 0) return { exists: path };
    if (form === 1) return { contains: { var: path, value: this.#pick<JsonValue>(['a', 1]) } };
    if (form === 2) return { gte: { var: path, value: this.#pick<JsonValue>([1, 'a']) } };
    return { equals: { var: path, value: this.#pick<JsonValue>(['yes', 'one', 'default', true, 1, 'condition']) } };
  }
}

/** The schema that each text matches. */
const parsed: Readonly<Record<string, JsonMap>> = {
  '{"n":1,"list":["a"]}': {
    type: 'object',
    properties: { n: { type: 'integer' }, list: { type: 'array', items: { type: 'string' } } },
    required: ['n', 'list'],
    additionalProperties: false,
  },
  '{"n":"x"}': {
    anyOf: [{ type: 'object', properties: { n: { type: 'string' } }, required: ['n'] }, { type: 'string' }],
  },
  '[{"x":1},{"x":2}]': {
    type: 'array',
    items: { $ref: '#/$defs/x' },
    $defs: { x: { type: 'object', properties: { x: { type: 'number' } } } },
  },
  '"one"': { enum: ['one', 'two'] },
};

const itemTemplates: readonly JsonValue[] = [
  '{{item}}',
  '{{?item.n}}',
  { m: '{{item.n}}' },
  { m: '{{loop.index}}' },
  'x',
];

const itemConditions: readonly WhenExpr[] = [
  { exists: 'item' },
  { equals: { var: 'item.n', value: 1 } },
  { equals: { var: 'item', value: 'a' } },
];

const valueConditions: readonly WhenExpr[] = [
  { equals: { var: 'value', value: 'yes' } },
  { equals: { var: 'value.n', value: 1 } },
  { exists: 'value' },
  { contains: { var: 'value', value: 'a' } },
];

function loopConditions(body: string): readonly WhenExpr[] {
  return [
    { exists: `${body}.text` },
    { equals: { var: `${body}.text`, value: 'yes' } },
    { equals: { var: 'loop.index', value: 1 } },
  ];
}
