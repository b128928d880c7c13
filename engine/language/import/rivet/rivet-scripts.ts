/** Rivet nodes that become scripts: they compute something that bindings and conditions cannot. */
import { isJsonList, type JsonValue } from '../../json/json-value.ts';
import type { TypeMapping } from '../mapping.ts';
import { at, entryOf, mapAt, numberAt, textAt } from '../read-json.ts';
import type { SourceNode } from '../source-flow.ts';
import { type RivetNode, rivetNode } from './rivet-node.ts';

/** Returns the values at all connected ports, by port. */
function valuesOf({ node, inputs, context }: RivetNode): Readonly<Record<string, JsonValue>> {
  const ports = [...new Set(context.into(node).map(({ toPort }) => toPort))];
  return Object.fromEntries(ports.map((port) => [port, inputs.optional(port) ?? null]));
}

function script(codeOf: (node: RivetNode) => string | undefined, ports: Readonly<Record<string, readonly string[]>>) {
  return rivetNode({
    convert(node) {
      const code = codeOf(node);
      if (code === undefined) return { why: 'Its settings are not complete.' };
      return { type: 'script.js', input: valuesOf(node), config: { code } };
    },
    ports,
  });
}

/** Names that Rivet provides and scripts of flows do not have. */
const missing = /\b(?:fetch|require|process|Rivet|console)\b|\bimport\(/;

const code = rivetNode({
  convert(node) {
    const written = textAt(node.data, 'code');
    if (written.trim() === '') return { why: 'It contains no code.' };
    const word = missing.exec(written)?.[0];
    const lost = word === undefined ? [] : [`The code uses ${word}, which scripts don't have.`];
    const script = `// Provides the data in the form that the imported code uses.
const inputs = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, { type: 'any', value }]));
const outputs = await (async () => {
${written.trimEnd()}
})();
return Object.fromEntries(Object.entries(outputs ?? {}).map(([name, port]) => [name, port?.value ?? null]));
`;
    return { type: 'script.js', input: valuesOf(node), config: { code: script }, lost };
  },
  ports: { '*': [] },
});

const operators: Readonly<Record<string, string>> = {
  '==': '==',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  and: '&&',
  or: '||',
  '+': '+',
  '-': '-',
  '*': '*',
  '/': '/',
  '^': '**',
  '%': '%',
};

const compare = script(
  ({ data }) => {
    const operator = entryOf(operators, textAt(data, 'comparisonFunction') || '==');
    return operator === undefined || data['useComparisonFunctionInput'] === true
      ? undefined
      : `return { value: (input.a ${operator} input.b) ? true : false };\n`;
  },
  { output: ['value'] },
);

const evaluate = script(
  ({ data }) => {
    const operator = entryOf(operators, textAt(data, 'operation') || '+');
    return operator === undefined || data['useOperationInput'] === true
      ? undefined
      : `return { value: Number(input.a) ${operator} Number(input.b) };\n`;
  },
  { output: ['value'] },
);

const ifElse = script(() => 'return { value: input.if ? input.true : input.false };\n', { output: ['value'] });

const coalesce = script(
  ({ inputs }) => {
    const values = inputs.numbered('input').map((port) => `input[${JSON.stringify(port)}]`);
    return `return { value: [${values.join(', ')}].find((value) => value !== '' && value != null) ?? null };\n`;
  },
  { output: ['value'] },
);

const extractRegex = script(
  ({ data }) => {
    if (data['useRegexInput'] === true) return undefined;
    const regex = JSON.stringify(textAt(data, 'regex'));
    const flags = JSON.stringify(data['multilineMode'] === true ? 'gm' : 'g');
    return `const matches = [...String(input.input).matchAll(new RegExp(${regex}, ${flags}))];
const first = matches[0] ?? [];
const groups = Object.fromEntries(first.slice(1).map((text, place) => [\`output\${place + 1}\`, text ?? null]));
${data['errorOnFailed'] === true ? "if (matches.length === 0) throw new Error('The text does not match.');\n" : ''}return { ...groups, succeeded: matches.length > 0, failed: matches.length === 0, matches: matches.map((one) => one[1] ?? one[0]) };
`;
  },
  { '*': [] },
);

function casesOf({ settings }: SourceNode): readonly string[] {
  const cases = at(mapAt(settings, 'data'), 'cases');
  return isJsonList(cases) ? cases.map(String) : [];
}

const match = rivetNode({
  convert(node) {
    const patterns = casesOf(node.node);
    const codeLines = `const patterns = ${JSON.stringify(patterns)};
const place = patterns.findIndex((pattern) => new RegExp(pattern).test(String(input.input)));
return { route: place === -1 ? 'unmatched' : \`case\${place + 1}\`, value: input.value ?? input.input };
`;
    return { type: 'script.js', input: valuesOf(node), config: { code: codeLines } };
  },
  ports: {},
  passes: (_, node, context) => {
    const into = context.into(node);
    return into.find(({ toPort }) => toPort === 'value') ?? into.find(({ toPort }) => toPort === 'input');
  },
  when: (port, node, context) => ({ equals: { var: `${context.idOf(node)}.route`, value: port } }),
});

const chunk = script(
  ({ data }) => {
    const size = Math.max(1, Math.round((numberAt(data, 'numTokensPerChunk') ?? 1024) * 4));
    return `const text = String(input.input);
const chunks = [];
for (let at = 0; at < text.length; at += ${size}) chunks.push(text.slice(at, at + ${size}));
return { chunks, first: chunks[0], last: chunks.at(-1), count: chunks.length, indexes: chunks.map((_, place) => place + 1) };
`;
  },
  { '*': [] },
);

const slice = script(
  ({ data }) => {
    const start = numberAt(data, 'start') ?? 0;
    const count = numberAt(data, 'count');
    return `const start = Number(input.start ?? ${start});
const count = input.count ?? ${count ?? null};
return { value: input.input.slice(start, count === null ? undefined : start + Number(count)) };
`;
  },
  { output: ['value'] },
);

const pop = script(
  ({ data }) => {
    const isFirst = data['fromFront'] === true;
    return isFirst
      ? 'return { lastItem: input.array[0], restOfArray: input.array.slice(1) };\n'
      : 'return { lastItem: input.array.at(-1), restOfArray: input.array.slice(0, -1) };\n';
  },
  { '*': [] },
);

const raceInputs = rivetNode({
  convert(node) {
    const code = 'return { value: Object.values(input).find((value) => value != null && value !== "") ?? null };\n';
    const lost = ['It returns the first input that has a value, not the one that arrives first.'];
    return { type: 'script.js', input: valuesOf(node), config: { code }, lost };
  },
  ports: { result: ['value'] },
});

const filter = script(() => 'return { filtered: input.array.filter((_, place) => input.include[place]) };\n', {
  '*': [],
});

const shuffle = script(
  () => `const shuffled = [...input.array];
for (let place = shuffled.length - 1; place > 0; place -= 1) {
  const other = Math.floor(Math.random() * (place + 1));
  [shuffled[place], shuffled[other]] = [shuffled[other], shuffled[place]];
}
return { shuffled };
`,
  { '*': [] },
);

const randomNumber = script(
  ({ data }) => {
    const isInteger = data['integers'] === true;
    const extra = isInteger && data['maxInclusive'] === true ? 1 : 0;
    return `const min = Number(input.min ?? ${numberAt(data, 'min') ?? 0});
const max = Number(input.max ?? ${numberAt(data, 'max') ?? 1}) + ${extra};
const value = Math.random() * (max - min) + min;
return { value: ${isInteger ? 'Math.floor(value)' : 'value'} };
`;
  },
  { '*': [] },
);

const codeBlocks = script(
  () => `const blocks = [...String(input.input).matchAll(/\`\`\`(\\w*)\\n([\\s\\S]*?)\`\`\`/g)];
return { firstBlock: blocks[0]?.[2] ?? null, allBlocks: blocks.map((one) => one[2]), languages: blocks.map((one) => one[1]) };
`,
  { '*': [] },
);

const markdownTable = script(
  ({ data }) => `const rows = [input.data].flat();
const keys = Object.keys(rows[0] ?? {});
const line = (cells) => '| ' + cells.map((cell) => String(cell).replaceAll('|', '\\\\|').replaceAll('\\n', ' ')).join(' | ') + ' |';
const head = ${data['includeHeaders'] === false ? 'keys.map(() => "")' : 'keys'};
return { markdown: [line(head), line(keys.map(() => '-')), ...rows.map((row) => line(keys.map((key) => row[key])))].join('\\n') };
`,
  { '*': [] },
);

/** Mappings by type. */
export const rivetScripts: Readonly<Record<string, TypeMapping>> = {
  code,
  compare,
  evaluate,
  ifElse,
  coalesce,
  extractRegex,
  match,
  chunk,
  slice,
  pop,
  raceInputs,
  filter,
  shuffle,
  randomNumber,
  extractMarkdownCodeBlocks: codeBlocks,
  toMarkdownTable: markdownTable,
};
