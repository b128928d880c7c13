/** Describes the fields of a JSON Schema for a table. */

/** The keywords that schemas of node types use. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly not?: Schema;
  readonly $ref?: string;
}

/** A row of a table. */
export interface Field {
  /** With its parents, such as `options.model` or `iterations[].index`. */
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** The default and the limits, as short sentences without a period. */
  readonly limits: readonly string[];
}

/** Fields below this depth are left to the description of their parent. */
const maxDepth = 2;

/** Returns the fields of a map, with those of maps in it. A union has the fields of all its alternatives. */
export function fieldsOf(schema: Schema, parent = '', depth = 0): Field[] {
  const alternatives = schema.anyOf ?? [schema];
  const names = new Set(alternatives.flatMap(({ properties }) => Object.keys(properties ?? {})));
  return [...names].flatMap((key) => {
    const found = alternatives.flatMap(({ properties }) => properties?.[key] ?? []);
    const field = found[0] ?? {};
    const name = parent === '' ? key : `${parent}.${key}`;
    const inner = field.type === 'array' ? field.items : field;
    const below = field.type === 'array' ? `${name}[]` : name;
    return [
      {
        name,
        type: typeOf(field),
        description: [...new Set(found.flatMap(({ description }) => description ?? []))].join('; or: '),
        isRequired: alternatives.every(({ required = [] }) => required.includes(key)),
        limits: limitsOf(field),
      },
      ...(depth < maxDepth && inner !== undefined ? fieldsOf(inner, below, depth + 1) : []),
    ];
  });
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  integer: 'whole number',
  object: 'map',
};

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) {
    return schema.$ref.endsWith('/condition') ? '[condition](../flowspec.md#conditions)' : 'any value';
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(', ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeNames[type] ?? type).join(' or ');
  if (schema.type === 'array') return listOf(schema.items);
  if (schema.type === 'object') return mapOf(schema);
  const { type } = schema;
  return typeof type === 'string' ? (typeNames[type] ?? type) : 'any value';
}

function listOf(items: Schema | undefined): string {
  const inner = items === undefined ? 'any value' : typeOf(items);
  return inner === 'any value' ? 'list' : `list of ${inner.replace(/^text$/, 'texts').replace(/(map|number)$/, '$1s')}`;
}

function mapOf({ additionalProperties }: Schema): string {
  const isOfText = typeof additionalProperties === 'object' && additionalProperties.type === 'string';
  return isOfText ? 'map of texts' : 'map';
}

function code(value: unknown): string {
  return `\`${typeof value === 'string' && /^[\w.-]+$/.test(value) ? value : JSON.stringify(value)}\``;
}

function limitsOf({ default: initial, minimum, maximum, minLength, minItems, maxItems }: Schema): string[] {
  const isBound = (limit: number | undefined): limit is number =>
    limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
  const range = [
    ...(isBound(minimum) ? [`at least ${minimum}`] : []),
    ...(isBound(maximum) ? [`at most ${maximum}`] : []),
    ...(minLength === 1 || minItems === 1 ? ['not empty'] : []),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} items`]),
  ].join(', ');
  return [
    ...(initial === undefined ? [] : [`Default: ${code(initial)}`]),
    ...(range === '' ? [] : [range.charAt(0).toUpperCase() + range.slice(1)]),
  ];
}
