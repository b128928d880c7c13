/**
 * `control.switch`: takes one of several branches according to the first condition that is true.
 */
import { z } from 'zod';
import { pathText } from '../../../language/bindings/binding-path.ts';
import { holdsBinding } from '../../../language/bindings/bindings.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../../language/json/json-value.ts';
import { describeType } from '../../../language/types/describe-type.ts';
import { anyJson, conditionSchema, noConfig } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

/** The branch for values that match no case. */
export const otherwise = 'default';

const caseSchema = () =>
  z.object({
    when: conditionSchema
      .meta({ editor: 'condition', sees: 'value' })
      .describe('Condition on `value`, the input of the switch. If it is an object, `value.name` is its field "name"'),
    route: z.string().min(1).describe('Name of the branch to take when the condition is true'),
  });

export const controlSwitchType = describeType({
  type: 'control.switch',
  title: 'Switch',
  description: 'Takes the branch of the first case with a true condition, or the branch "default".',
  example: 'label is bug → branch “bug”; anything else → “default”.',
  category: 'logic',
  icon: 'split',
  inputSchema: () =>
    z.object({
      value: anyJson.describe('Value that the cases test'),
      cases: z.array(caseSchema()).describe('Cases, tested in order'),
    }),
  configSchema: () => noConfig,
  outputSchema: () =>
    z.object({
      route: z.string().describe('Name of the branch taken. The edges of the branches test <id>.route'),
      value: anyJson.describe('Value that the cases tested'),
    }),
  effects: 'pure',
  givenSchemas: ({ input }, schemaOf) => ({ value: schemaOf(input['value']), ...routeSchema(input['cases']) }),
  caseFor,
  start: (from) => {
    if (from.choice !== undefined) {
      const { binding, values } = from.choice;
      return { input: { value: binding, cases: values.map((value) => caseFor(value, [])) } };
    }
    const value = from.any('yes');
    // The previous node's output may not be text.
    const when = value === 'yes' ? { equals: { var: 'value', value } } : { exists: 'value' };
    return { input: { value, cases: [{ when, route: 'yes' }] } };
  },
  routes: ({ cases }) => (isJsonList(cases) ? [...new Set([...literalRoutes(cases), otherwise])] : []),
  summary: (_config, { value }) => ['Picks a branch by ', chipOf(value) ?? 'nothing yet'],
});

/** Returns the case for a value. Its route is named after the value. */
function caseFor(value: string, path: readonly string[]): JsonMap {
  return { when: { equals: { var: pathText(['value', ...path]), value } }, route: value };
}

/** Returns the file's routes in order, without those known only during a run. */
function literalRoutes(cases: readonly JsonValue[]): readonly string[] {
  return cases.flatMap((entry) => {
    const route = isJsonMap(entry) ? entry['route'] : undefined;
    const isLiteral = typeof route === 'string' && route !== '' && !holdsBinding(route);
    return isLiteral ? [route] : [];
  });
}

/** Returns a schema for the route if the file names all of them. */
function routeSchema(cases: JsonValue | undefined): { readonly route?: JsonMap } {
  if (!isJsonList(cases)) return {};
  const literal = literalRoutes(cases);
  return literal.length === cases.length ? { route: { enum: [...new Set([...literal, otherwise])] } } : {};
}
