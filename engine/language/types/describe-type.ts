/**
 * Descriptions of node types that create their schemas on first use: there are about thirty types, and a flow uses few
 * of them.
 */
import type { z } from 'zod';
import { late } from '../../base/late.ts';
import type { NodeTypeSpec } from './node-type-spec.ts';

const schemaKeys = ['inputSchema', 'configSchema', 'outputSchema'] as const;

type SchemaKey = (typeof schemaKeys)[number];

type LateSchemas = { readonly [Key in SchemaKey]: () => z.ZodType };

type LateSpec = Omit<NodeTypeSpec, SchemaKey> & LateSchemas;

/** The description for a spec that has functions in place of schemas. */
type Described<Spec extends Partial<LateSchemas>> = {
  readonly [Key in keyof Spec]: Key extends SchemaKey ? ReturnType<NonNullable<Spec[Key & SchemaKey]>> : Spec[Key];
};

/**
 * Creates a description from a spec that has functions in place of schemas. Each function is called once, when its
 * schema is first read.
 */
export function describeType<const Spec extends LateSpec>(spec: Spec): Described<Spec> {
  return Object.defineProperties({}, propertiesOf(spec)) as Described<Spec>;
}

/**
 * Copies a description with changed fields, without creating its schemas.
 * @param changes schemas as functions
 */
export function changedType<Spec extends NodeTypeSpec, const Changes extends Partial<LateSpec>>(
  spec: Spec,
  changes: Changes,
): Omit<Spec, keyof Changes> & Described<Changes> {
  return withFields<object, object>(spec, Object.defineProperties({}, propertiesOf(changes))) as Omit<
    Spec,
    keyof Changes
  > &
    Described<Changes>;
}

/** Copies a description and adds fields. Unlike a spread, it does not create the schemas. */
export function withFields<Spec extends object, Fields extends object>(spec: Spec, fields: Fields): Spec & Fields {
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(spec), ...Object.getOwnPropertyDescriptors(fields) },
  ) as Spec & Fields;
}

function propertiesOf(spec: Partial<LateSpec>): PropertyDescriptorMap {
  const properties: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(spec);
  for (const key of schemaKeys) {
    const make = spec[key];
    if (make !== undefined) properties[key] = { get: late(make), enumerable: true, configurable: true };
  }
  return properties;
}
