/**
 * Derives the fields of a node type's form from the schemas of its input and config.
 */
import type { z } from 'zod';
import {
  type ChangePath,
  type FieldEditor,
  type FieldScope,
  formJsonSchema,
  isJsonList,
  isJsonMap,
  type JsonMap,
  type JsonValue,
  type NodeTypeSpec,
} from '../../../engine/isomorphic.ts';
import { text } from './text.ts';

export type FieldKind =
  | FieldEditor
  | 'text'
  | 'number'
  | 'slider'
  | 'boolean'
  | 'enum'
  | 'list'
  | 'map'
  | 'group'
  | 'json'
  | 'script'
  | 'skill';

/** Limits of a number or a list. Undefined for no limit. */
export interface FieldLimits {
  readonly min?: number;
  readonly max?: number;
  readonly isInteger?: boolean;
  readonly minItems?: number;
}

export interface FormField {
  /**
   * Path below the node, for example `['input', 'prompt']`. For members of lists and maps, the path below the list or
   * map.
   */
  readonly path: ChangePath;
  readonly label: string;
  /** Empty if the schema has none. */
  readonly description: string;
  readonly isRequired: boolean;
  readonly kind: FieldKind;
  /** Value that applies if none is set. Undefined if the type has no default. */
  readonly default: JsonValue | undefined;
  readonly limits: FieldLimits;
  /** Options of an enum. */
  readonly options: readonly string[];
  /** Values that the schema suggests. */
  readonly examples: readonly JsonValue[];
  /** Whether a binding is allowed here. Config never contains bindings. */
  readonly mayBind: boolean;
  /** The scope of the field's bindings. Undefined for the flow. */
  readonly sees: FieldScope | undefined;
  /** For a list or a map: the field of a member. */
  readonly member: FormField | undefined;
  /** For a group: its nested fields. */
  readonly parts: readonly FormField[];
  /** Whether most flows do not need the field, so that it is folded away. */
  readonly isAdvanced: boolean;
  /** In a form for several nodes: whether their values differ. */
  readonly isMixed?: boolean;
}

/** The fields of one section of a node. */
export interface FormSection {
  readonly fields: readonly FormField[];
  /**
   * The field of additional keys with arbitrary values, as in the input of a template. Undefined if their type is not
   * known.
   */
  readonly extra: FormField | undefined;
}

interface FormFieldContext {
  /** Scope of the containing field. */
  readonly sees?: FieldScope | undefined;
  readonly path: ChangePath;
  readonly isRequired: boolean;
  readonly mayBind: boolean;
}

const sections = new WeakMap<NodeTypeSpec, { readonly input: FormSection; readonly config: FormSection }>();

/** Returns the form of a type. Returns the same objects each time. */
export function formOf(spec: NodeTypeSpec): { readonly input: FormSection; readonly config: FormSection } {
  let form = sections.get(spec);
  if (form === undefined) {
    form = {
      input: sectionOf(formJsonSchema(spec.inputSchema), { path: ['input'], isRequired: true, mayBind: true }),
      config: sectionOf(formJsonSchema(spec.configSchema), { path: ['config'], isRequired: true, mayBind: false }),
    };
    sections.set(spec, form);
  }
  return form;
}

/** Creates a field that is not part of a node type, such as a node's description. */
export function plainField(key: string, kind: FieldKind, rest: Partial<FormField> = {}): FormField {
  return { ...fieldOf({}, { path: [key], isRequired: false, mayBind: false }), kind, ...rest };
}

/** Creates a field that is not part of a node type and is described by a schema. */
export function schemaField(key: string, schema: z.ZodType, rest: Partial<FormField> = {}): FormField {
  return { ...fieldOf(formJsonSchema(schema), { path: [key], isRequired: false, mayBind: false }), ...rest };
}

/** Creates a field for a value that is described by a JSON Schema and cannot be a binding. */
export function valueField(key: string, schema: JsonMap, rest: Partial<FormField> = {}): FormField {
  return { ...fieldOf(schema, { path: [key], isRequired: false, mayBind: false }), ...rest };
}

/** Creates the fields of a map of values described by a JSON Schema, at a path of a node's input. */
export function fieldsOfSchema(schema: JsonMap, path: ChangePath): readonly FormField[] {
  return partsOf(schema, { path, isRequired: false, mayBind: true });
}

/** Creates a field for a value without a schema. It is shown as JSON and never dropped. */
export function unknownField(path: ChangePath, mayBind: boolean): FormField {
  return fieldOf({}, { path, isRequired: false, mayBind });
}

function sectionOf(schema: JsonMap, place: FormFieldContext): FormSection {
  const { additionalProperties } = schema;
  const extra = isJsonMap(additionalProperties)
    ? fieldOf(additionalProperties, { ...place, path: [], isRequired: false })
    : undefined;
  return { fields: partsOf(schema, place), extra };
}

function partsOf(schema: JsonMap, { path, mayBind, sees }: FormFieldContext): readonly FormField[] {
  const { properties, required } = schema;
  if (!isJsonMap(properties)) return [];
  const needed = new Set(isJsonList(required) ? required : []);
  return Object.entries(properties).map(([key, part]) =>
    fieldOf(isJsonMap(part) ? part : {}, { path: [...path, key], isRequired: needed.has(key), mayBind, sees }),
  );
}

function fieldOf(schema: JsonMap, place: FormFieldContext): FormField {
  const kind = kindOf(schema);
  const { title, description, default: fallback } = schema;
  const key = place.path.at(-1);
  const sees = sightOf(schema) ?? place.sees;
  return {
    path: place.path,
    label: typeof title === 'string' ? title : kind === 'duration' ? durationLabel(key) : labelOf(key),
    description: typeof description === 'string' ? description : '',
    isRequired: place.isRequired,
    kind,
    default: fallback,
    limits: limitsOf(schema),
    options: isJsonList(schema['enum']) ? schema['enum'].map(String) : [],
    examples: isJsonList(schema['examples']) ? schema['examples'] : [],
    mayBind: place.mayBind,
    sees,
    isAdvanced: schema['isAdvanced'] === true,
    member: memberOf(schema, kind, { ...place, sees }),
    parts: kind === 'group' ? partsOf(schema, { ...place, sees }) : [],
  };
}

const ownKinds: ReadonlySet<unknown> = new Set<FieldEditor>([
  'long-text',
  'prompt',
  'code',
  'javascript',
  'lua',
  'model',
  'agent',
  'flow',
  'tool',
  'call',
  'file',
  'glob',
  'nodes',
  'condition',
  'duration',
  'schema',
  'url',
]);

const sights: ReadonlySet<unknown> = new Set<FieldScope>(['item', 'value', 'input', 'body']);

function sightOf({ sees }: JsonMap): FieldScope | undefined {
  return sights.has(sees) ? (sees as FieldScope) : undefined;
}

/** A slider is used only for a small range. */
const longestSlider = 10;

function kindOf(schema: JsonMap): FieldKind {
  const { editor, type } = schema;
  if (ownKinds.has(editor)) return editor as FieldKind;
  if (isJsonList(schema['enum'])) return 'enum';
  switch (type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return isSlider(schema) ? 'slider' : 'number';
    case 'boolean':
      return 'boolean';
    case 'array':
      return 'list';
    case 'object':
      return isJsonMap(schema['properties']) ? 'group' : 'map';
    default:
      return 'json';
  }
}

function isSlider({ type, minimum, maximum }: JsonMap): boolean {
  return (
    type === 'number' &&
    typeof minimum === 'number' &&
    typeof maximum === 'number' &&
    maximum - minimum <= longestSlider
  );
}

function memberOf(schema: JsonMap, kind: FieldKind, { mayBind, sees }: FormFieldContext): FormField | undefined {
  const inner = kind === 'list' ? schema['items'] : kind === 'map' ? schema['additionalProperties'] : undefined;
  if (kind !== 'list' && kind !== 'map') return undefined;
  return fieldOf(isJsonMap(inner) ? inner : {}, { path: [], isRequired: true, mayBind, sees });
}

function limitsOf({ minimum, maximum, type, minItems }: JsonMap): FieldLimits {
  const isLimit = (value: JsonValue | undefined): value is number =>
    typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
  return {
    ...(isLimit(minimum) ? { min: minimum } : {}),
    ...(isLimit(maximum) ? { max: maximum } : {}),
    ...(type === 'integer' ? { isInteger: true } : {}),
    ...(isLimit(minItems) ? { minItems } : {}),
  };
}

/** Removes the unit, which is shown beside the value and can be changed. */
function durationLabel(key: string | number | undefined): string {
  return labelOf(key).replace(/ ?ms$/i, '') || text.row.duration;
}

/** `maxParallel` and `max_parallel` both become `Max parallel`. Text written by a user is unchanged. */
export function labelOf(key: string | number | undefined): string {
  if (typeof key !== 'string') return '';
  if (/[^\w]/.test(key)) return key;
  const words = key
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
