/** Rivet nodes that create values, and that select and rearrange parts of them. */
import { parseJson } from '../../json/exact-json.ts';
import { isJsonList, type JsonMap } from '../../json/json-value.ts';
import type { TypeMapping } from '../mapping.ts';
import { at, mapAt, textAt } from '../read-json.ts';
import { plainText } from '../texts.ts';
import { type RivetNode, rivetNode } from './rivet-node.ts';

const text = rivetNode({
  convert: ({ data, inputs }) => ({ type: 'echo', input: { text: inputs.text(textAt(data, 'text')) } }),
  ports: { output: ['text'] },
});

function constant(key: string): TypeMapping {
  return rivetNode({
    convert({ data, inputs }) {
      const port = inputs.value('input') ?? inputs.value('value');
      return { type: 'constant', input: { value: port ?? at(data, key) ?? null } };
    },
    ports: { output: ['value'], value: ['value'] },
  });
}

/** The template of an object is JSON text with ports in it. */
const object = rivetNode({
  convert({ data, inputs }) {
    const value = parseJson(inputs.text(textAt(data, 'jsonTemplate')));
    return value === undefined
      ? { why: 'Its template is not JSON when its inputs are bindings.' }
      : { type: 'constant', input: { value } };
  },
  ports: { output: ['value'] },
});

const array = rivetNode({
  convert({ data, inputs }) {
    const values = inputs.numbered('input').map((port) => inputs.optional(port) ?? null);
    const depth = data['flattenDeep'] === true ? 'Infinity' : '1';
    const items = data['flatten'] === true ? `input.items.flat(${depth})` : 'input.items';
    const code = `const items = ${items};
return { items, indices: items.map((_, place) => place), length: items.length };
`;
    return { type: 'script.js', input: { items: values }, config: { code } };
  },
  ports: { output: ['items'], indices: ['indices'], length: ['length'] },
});

const join = rivetNode({
  convert({ data, inputs }) {
    const items = inputs.numbered('input').map((port) => inputs.optional(port) ?? '');
    const separator = plainText(textAt(data, 'joinString').replaceAll('\\n', '\n'));
    return { type: 'text.join', input: { items, separator } };
  },
  ports: { output: ['text'] },
});

const split = rivetNode({
  convert({ data, inputs }) {
    const value = inputs.value('string') ?? '';
    const written = textAt(data, 'delimiter');
    if (data['regex'] === true) {
      const code = `return { items: String(input.text).split(new RegExp(${JSON.stringify(written)}, 'g')) };\n`;
      return { type: 'script.js', input: { text: value }, config: { code } };
    }
    const separator = written.replaceAll('\\n', '\n') || '\n';
    return { type: 'text.split', input: { text: value, separator: plainText(separator) } };
  },
  ports: { splitString: ['items'] },
});

const extractJson = rivetNode({
  convert: ({ inputs }) => ({ type: 'json.parse', input: { text: inputs.value('input') ?? '' } }),
  ports: { output: ['value'] },
});

/** A path to a single value: of it, a query returns the value, and of all others the list of matches. */
const singlePath = /^\$(?:\.[A-Za-z_]\w*|\[\d+\]|\['[^'\\]*'\])*$/;
const pathStep = /\.(\w+)|(\[[^\]]*\])/g;

function pathOf(data: JsonMap): string {
  return textAt(data, 'path').trim();
}

const extractObjectPath: TypeMapping = {
  ...rivetNode({
    convert({ data, inputs }) {
      const path = pathOf(data);
      if (data['usePathInput'] === true || path === '')
        return { why: 'Its path is an input, and must be fixed in a flow.' };
      return { type: 'json.query', input: { value: inputs.value('object') ?? null }, config: { path } };
    },
    ports: {},
  }),
  at({ port, rest }, node, context) {
    const isSingle = singlePath.test(pathOf(mapAt(node.settings, 'data')));
    if (port === 'match') return [context.idOf(node), 'value', ...(isSingle ? [] : ['0']), ...rest];
    return port === 'all_matches' && !isSingle ? [context.idOf(node), 'value', ...rest] : undefined;
  },
};

/** Each output of a Destructure is a path in its object. */
const destructure = rivetNode({
  convert({ data, inputs }) {
    const written = at(data, 'paths');
    const paths = isJsonList(written) ? written.map((path) => String(path).trim()) : [];
    const source = inputs.value('object');
    if (source === undefined || paths.length === 0) return { why: 'Nothing is connected to it, or it has no paths.' };
    if (!paths.every((path) => singlePath.test(path))) return { why: 'One of its paths selects several values.' };
    const fields = paths.map((path, place) => {
      const steps = path.replace(pathStep, (_, name?: string, key?: string) => `?.${name ?? key}`).slice(1);
      return `  match_${place}: input.object${steps} ?? null,\n`;
    });
    return { type: 'script.js', input: { object: source }, config: { code: `return {\n${fields.join('')}};\n` } };
  },
  ports: { '*': [] },
});

function asJson({ inputs }: RivetNode, port: string) {
  return { type: 'echo', input: { text: ` ${inputs.value(port) ?? ''}`.trimStart() } };
}

const toJson = rivetNode({ convert: (node) => asJson(node, 'data'), ports: { json: ['text'], output: ['text'] } });

const toYaml = rivetNode({
  convert: (node) => ({ ...asJson(node, 'object'), lost: ['It writes JSON, which programs that read YAML can read.'] }),
  ports: { yaml: ['text'] },
});

/** Mappings by type. */
export const rivetValues: Readonly<Record<string, TypeMapping>> = {
  text,
  number: constant('value'),
  boolean: constant('value'),
  object,
  array,
  join,
  split,
  extractJson,
  extractObjectPath,
  destructure,
  toJson,
  toYaml,
};
