/**
 * Defines scripts that replay a conversation: each turn's messages and their expected results.
 */
import { z } from 'zod';
import { compilePattern } from '../../base/pattern/pattern.ts';
import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import { type JsonMap, type JsonValue, jsonEquals } from '../../language/json/json-value.ts';
import { checkAgainst } from '../../language/schema/schema-problems.ts';
import { YamlPlaces } from '../../language/yaml/yaml-places.ts';
import { readYaml } from '../../language/yaml/yaml-source.ts';
import { yamlToJson } from '../../language/yaml/yaml-to-json.ts';

const map = z.custom<JsonMap>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be a map',
);

const expectation = z.strictObject({
  /** The predicted flow. */
  flow: z.exactOptional(z.string().nullable()),
  /** Slot values of the predicted flow. */
  slots: z.exactOptional(map),
  /** Flows from the top: `name`, or `name:Status`. */
  stack: z.exactOptional(z.array(z.string())),
  /** A pattern that occurs in the reply. */
  reply: z.exactOptional(
    z.string().refine((text) => 'matches' in compilePattern(text), { error: 'is not a supported regular expression' }),
  ),
});

const ui = z.strictObject({
  flow: z.exactOptional(z.string()),
  slots: z.exactOptional(map),
  drop: z.exactOptional(z.literal(true)),
  goesOn: z.exactOptional(z.literal(true)),
});

const turn = z
  .strictObject({
    user: z.exactOptional(z.string().min(1)),
    ui: z.exactOptional(ui),
    /** Answer to an open request: `approve`, `reject`, or form values. */
    answer: z.exactOptional(z.union([z.enum(['approve', 'reject']), map])),
    expect: z.exactOptional(expectation),
  })
  .refine(({ user, ui, answer }) => [user, ui, answer].filter((one) => one !== undefined).length === 1, {
    error: 'must have exactly one of the keys user, ui and answer',
  });

const scriptSchema = z.strictObject({ turns: z.array(turn).min(1) });

export type ChatTurn = z.output<typeof turn>;
export type Expectation = z.output<typeof expectation>;

/** Parses a script. Null if it is invalid. */
export function parseChatScript(text: string): {
  readonly turns: readonly ChatTurn[] | null;
  readonly diagnostics: readonly Diagnostic[];
} {
  const source = text.replace(/^\uFEFF/, '');
  const { root, problems } = readYaml(source);
  const read = root === null ? { value: null, problems: [], aliasTargets: new Map() } : yamlToJson(root);
  const places = new YamlPlaces({ text: source, root, aliasTargets: read.aliasTargets });
  const unread = [...problems, ...read.problems];
  if (unread.length > 0) {
    const diagnostics = unread.map((problem): Diagnostic => {
      return { code: problem.code, severity: 'error', message: problem.message, range: places.sourceRange(problem) };
    });
    return { turns: null, diagnostics };
  }
  const checked = checkAgainst(scriptSchema, read.value);
  if (checked.ok) return { turns: checked.value.turns, diagnostics: [] };
  const diagnostics = checked.problems.map(({ path, kind, message }): Diagnostic => {
    const code = kind === 'unknown-key' ? 'dialogue.unknown-key' : 'dialogue.bad-value';
    const [, index, ...rest] = path;
    const name = typeof index === 'number' ? `${rest.join('.') || 'It'} of turn ${index + 1}` : path.join('.');
    const words = `${name || 'The script'} ${message}.`;
    return { code, severity: 'error', message: words, range: places.problemRange(path) };
  });
  return { turns: null, diagnostics };
}

/** The result of a turn. */
export interface TakenTurn {
  readonly flow: string | null;
  readonly slots: JsonMap;
  /** Flows from the top, as `name:Status`. */
  readonly stack: readonly string[];
  readonly reply: string;
}

/** Returns the differences from the expectation, one sentence each. */
export function missedExpectations(expected: Expectation, taken: TakenTurn): readonly string[] {
  const missed: string[] = [];
  const note = (what: string, wanted: JsonValue, found: JsonValue): void => {
    missed.push(`${what}: expected ${JSON.stringify(wanted)}, found ${JSON.stringify(found)}`);
  };
  const { flow, slots = {}, stack, reply } = expected;
  if (flow !== undefined && flow !== taken.flow) note('flow', flow, taken.flow);
  for (const [name, value] of Object.entries(slots)) {
    const found = Object.hasOwn(taken.slots, name) ? (taken.slots[name] ?? null) : null;
    if (!jsonEquals(value, found)) note(`slots.${name}`, value, found);
  }
  if (stack !== undefined && !isStack(stack, taken.stack)) note('stack', stack, taken.stack);
  if (reply !== undefined && !hasPattern(reply, taken.reply)) note('reply', reply, taken.reply);
  return missed;
}

function isStack(wanted: readonly string[], found: readonly string[]): boolean {
  const fits = (want: string, have = ''): boolean => (want.includes(':') ? want === have : want === have.split(':')[0]);
  return wanted.length === found.length && wanted.every((want, index) => fits(want, found[index]));
}

function hasPattern(pattern: string, text: string): boolean {
  const compiled = compilePattern(pattern);
  if (!('matches' in compiled)) return false;
  for (const steps = compiled.matches(text); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
