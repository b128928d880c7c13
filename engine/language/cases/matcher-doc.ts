/**
 * The form of a matcher, which describes the value that a test expects.
 */
import { z } from 'zod';
import { compilePattern } from '../../base/pattern/pattern.ts';
import { isJsonMap, type JsonValue } from '../json/json-value.ts';
import { schemaProblems } from '../schema/json-schema.ts';

/** A number, and how far a value may be from it. */
interface CloseTo {
  readonly value: number;
  readonly within: number;
}

/** Conditions for a value. All of them must hold. */
export interface MatcherDoc {
  readonly equals?: JsonValue;
  readonly notEquals?: JsonValue;
  /** Part of a text, an item of a list, or several of these, which must all be there. */
  readonly contains?: JsonValue;
  readonly containsAny?: readonly JsonValue[];
  readonly notContains?: JsonValue;
  /** A pattern that occurs in the text. */
  readonly matches?: string;
  readonly notMatches?: string;
  /** A JSON Schema, or the path of a file with one, relative to the test file. */
  readonly schema?: JsonValue;
  readonly lessThan?: number;
  readonly atMost?: number;
  readonly greaterThan?: number;
  readonly atLeast?: number;
  readonly closeTo?: CloseTo;
  readonly oneOf?: readonly JsonValue[];
  /** Whether there is a value. */
  readonly exists?: boolean;
  /** Number of characters of a text, items of a list, or keys of a map. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minWords?: number;
  readonly maxWords?: number;
  /** Further conditions, which may repeat those beside them. */
  readonly all?: readonly MatcherDoc[];
  /** Whether the comparison of texts ignores upper and lower case. */
  readonly ignoreCase?: boolean;
}

/** The names of the conditions. `ignoreCase` changes the others. */
export type MatcherName = Exclude<keyof MatcherDoc, 'ignoreCase' | 'all'>;

const json = (): z.ZodType<JsonValue> => z.json() as z.ZodType<JsonValue>;
const count = (): z.ZodType<number> => z.int().nonnegative();

function pattern(): z.ZodType<string> {
  return z.string().refine((text) => 'matches' in compilePattern(text), {
    error: ({ input }) => {
      const compiled = compilePattern(String(input));
      return 'problem' in compiled
        ? `is not a supported regular expression: it ${compiled.problem}`
        : 'is not supported';
    },
  });
}

function schema(): z.ZodType<JsonValue> {
  return json().refine((value) => typeof value === 'string' || schemaProblems(value).length === 0, {
    error: ({ input }) => {
      const [problem] = schemaProblems(input as JsonValue);
      const where = problem === undefined || problem.path.length === 0 ? '' : ` at ${problem.path.join('.')}`;
      return `is not a valid JSON Schema${where}: ${problem?.message ?? ''}`;
    },
  });
}

const conditionFields = () => ({
  equals: json().exactOptional().describe('The exact value. The order of keys is ignored.'),
  notEquals: json().exactOptional().describe('A value that it must not have.'),
  contains: json().exactOptional().describe('Part of a text, or an item of a list. Given a list, all of these.'),
  containsAny: z.array(json()).min(1).exactOptional().describe('At least one of these.'),
  notContains: json().exactOptional().describe('What must not be in it. Given a list, none of these.'),
  matches: pattern().exactOptional().describe('A regular expression that occurs in the text.'),
  notMatches: pattern().exactOptional().describe('A regular expression that does not occur in the text.'),
  schema: schema()
    .exactOptional()
    .describe('A JSON Schema, or the path of a file with one, relative to the test file.'),
  lessThan: z.number().exactOptional(),
  atMost: z.number().exactOptional(),
  greaterThan: z.number().exactOptional(),
  atLeast: z.number().exactOptional(),
  closeTo: z
    .strictObject({ value: z.number(), within: z.number().nonnegative() })
    .exactOptional()
    .describe('A number that is at most `within` away from `value`.'),
  oneOf: z.array(json()).min(1).exactOptional().describe('One of these values.'),
  exists: z.boolean().exactOptional().describe('Whether there is a value.'),
  minLength: count().exactOptional().describe('At least this many characters, items or keys.'),
  maxLength: count().exactOptional().describe('At most this many characters, items or keys.'),
  minWords: count().exactOptional().describe('At least this many words.'),
  maxWords: count().exactOptional().describe('At most this many words.'),
  ignoreCase: z.boolean().exactOptional().describe('Compare texts without upper and lower case.'),
});

/** Creates the schema of conditions. */
export function matcherMapSchema() {
  const conditions = withCondition(z.strictObject(conditionFields()));
  const all = z.array(conditions).min(1).exactOptional();
  return withCondition(
    z.strictObject({
      ...conditionFields(),
      all: all.describe('Further conditions, which may repeat those beside them.'),
    }),
  );
}

function withCondition<Schema extends z.ZodType<MatcherDoc>>(schema: Schema): Schema {
  return schema.refine((matcher) => Object.keys(matcher).some((key) => key !== 'ignoreCase'), {
    error: 'needs a condition beside it, such as equals or contains',
    path: ['ignoreCase'],
  });
}

/** Creates the schema of an expected value: conditions, or a plain value other than a map, which must be equal. */
export function matcherSchema() {
  const plain = json().refine((value) => !isJsonMap(value), { error: 'must be a value or a map of conditions' });
  return z.union([matcherMapSchema(), plain]);
}

/** Returns the conditions of an expected value. */
export function matcherOf(expected: MatcherDoc | JsonValue): MatcherDoc {
  return isJsonMap(expected as JsonValue) ? (expected as MatcherDoc) : { equals: expected as JsonValue };
}
