/**
 * Generates `docs/nodes/`: a page for each built-in node type, and a page that lists them by category.
 */
import { z } from 'zod';
import type { NodeTypeSpec } from '../../../engine/isomorphic.ts';
import { type Field, fieldsOf, type Schema } from './schema-fields.ts';

/** What a page says in addition to the description of its type. */
export interface NodeUse {
  /** When to use the type. */
  readonly use: string;
  /** A rule that the schemas don't express. */
  readonly note?: string;
  /** Pages of `docs/` with more. */
  readonly more?: readonly string[];
}

interface Described {
  readonly spec: NodeTypeSpec;
  readonly use: NodeUse;
  /** A flow with the type, as YAML. */
  readonly example: string;
  /** Titles of pages and their sections, by link. */
  readonly titles: ReadonlyMap<string, string>;
}

const categories: readonly (readonly [title: string, ...categories: readonly NodeTypeSpec['category'][]])[] = [
  ['Models and agents', 'model', 'agent'],
  ['People', 'human'],
  ['Files', 'file'],
  ['Web', 'net'],
  ['Branches, comparisons and scripts', 'logic'],
  ['Loops', 'loop'],
  ['Text and data', 'text'],
  ['Flows, commands and tools', 'flow'],
];

const effects: Readonly<Record<NodeTypeSpec['effects'], string>> = {
  pure: 'It has no effect outside the run, so Millrace repeats it after a crash.',
  idempotent: 'Running it twice has the same effect as running it once, so Millrace repeats it after a crash.',
  external:
    "It can have an effect outside the run. If a crash interrupts it, Millrace doesn't repeat it without asking you.",
};

/** Returns the name of a type's page, without its folder. */
export function pageName(type: string): string {
  return `${type}.md`;
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Schema {
  return z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema;
}

function cell(text: string): string {
  return text.replaceAll(/[|*]/g, '\\$&').replaceAll('\n', ' ');
}

function fieldTable(title: string, fields: readonly Field[], hasDefaults: boolean): string {
  if (fields.length === 0) return '';
  const rows = fields.map(({ name, type, description, isRequired, limits }) => {
    const shown = hasDefaults ? [isRequired ? 'Required' : '', ...limits] : [isRequired ? '' : 'Not always present'];
    const sentences = [description, ...shown].filter((one) => one !== '').map((one) => one.replace(/\.$/, ''));
    return `| \`${name}\` | ${cell(type)} | ${cell(sentences.map((one) => `${one}.`).join(' '))} |`;
  });
  return ['', `## ${title}`, '', '| field | type | description |', '|---|---|---|', ...rows].join('\n');
}

/** A map that accepts any fields has a description instead of a table. */
function openMap(title: string, schema: Schema): string {
  const isOpen = schema.properties === undefined && schema.description !== undefined;
  return isOpen ? `\n## ${title}\n\n${schema.description}.` : '';
}

function inputPart(title: string, schema: z.ZodType): string {
  const json = schemaOf(schema, 'input');
  return fieldTable(title, fieldsOf(json), true) || openMap(title, json);
}

function outputPart(schema: z.ZodType): string {
  const json = schemaOf(schema, 'output');
  if (json.not !== undefined) return '';
  return fieldTable('Output', fieldsOf(json), false) || openMap('Output', json) || '\n## Output\n\nAny value.';
}

function behavior({ effects: kind, secretFields, routeField, routes }: NodeTypeSpec): string {
  const branch = routeField ?? 'route';
  return [
    '',
    '## Behavior',
    '',
    `- ${effects[kind]}`,
    '- A failed node can be [retried](../flowspec.md#failures) with `policy.retry`, and `policy.timeoutMs` limits each attempt.',
    ...(secretFields === undefined
      ? []
      : [`- [Secrets](../flowspec.md#secrets) may be used in ${list(secretFields.map((name) => `\`${name}\``))}.`]),
    ...(routes === undefined
      ? []
      : [`- It selects a branch. [Conditions on edges](../flowspec.md#conditions-on-edges) test \`${branch}\`.`]),
  ].join('\n');
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** Returns the page of a node type. */
export function nodePage({ spec, use, example, titles }: Described): string {
  const { type, title, description, inputSchema, configSchema, outputSchema } = spec;
  const links = (use.more ?? []).map((link) => `- [${titles.get(link) ?? link}](../${link})`);
  return `---
label: ${type}
keywords: [${[...new Set([type, type.replace(/[._]/g, ' ')])].join(', ')}, node type]
---

# ${title}: \`${type}\`

${description}

${[use.use, use.note].filter((one) => one !== undefined).join(' ')}

\`\`\`yaml
${example.trim()}
\`\`\`
${[inputPart('Input', inputSchema), inputPart('Config', configSchema), outputPart(outputSchema), behavior(spec)]
  .filter((part) => part !== '')
  .join('\n')}
${links.length === 0 ? '' : `\n## See also\n\n${links.join('\n')}\n`}`;
}

function names(schema: Schema): string {
  const fields = fieldsOf(schema).filter(({ name }) => !/[.[]/.test(name));
  return fields.map(({ name, isRequired }) => `\`${name}${isRequired ? '' : '?'}\``).join(', ');
}

/** Returns the page that lists all types. */
export function nodeIndex(specs: readonly NodeTypeSpec[]): string {
  const groups = categories.map(([heading, ...own]) => {
    const rows = specs.filter(({ category }) => own.includes(category)).map(indexRow);
    return [`## ${heading}`, '', '| type | use | fields | output |', '|---|---|---|---|', ...rows].join('\n');
  });
  return `---
label: All node types
---

# Node types

Each node of a [flow](../flowspec.md) has a type, which defines its fields and what it does. Fields with \`?\` can be omitted
or are not always present.
An agent can also be a node type; see [an agent as a type of node](../agents.md#an-agent-as-a-type-of-node). The pages of the types
are generated from the code.

${groups.join('\n\n')}
`;
}

function indexRow({ type, description, inputSchema, configSchema, outputSchema }: NodeTypeSpec): string {
  const config = names(schemaOf(configSchema, 'input'));
  const fields = [names(schemaOf(inputSchema, 'input')) || 'any', ...(config === '' ? [] : [`config: ${config}`])];
  const output = schemaOf(outputSchema, 'output');
  const given = output.not === undefined ? names(output) || 'any' : 'none';
  return `| [\`${type}\`](${pageName(type)}) | ${cell(description)} | ${fields.join('; ')} | ${given} |`;
}
