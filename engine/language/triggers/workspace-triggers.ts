/**
 * Reads a workspace's `triggers.yaml`: triggers of step flows, because files with steps have no room for them.
 */
import { z } from 'zod';
import type { Diagnostic } from '../findings/diagnostic.ts';
import { type Finding, messageOf, placedAt } from '../findings/finding.ts';
import { didYouMean } from '../findings/nearest.ts';
import { isJsonList, type JsonValue } from '../json/json-value.ts';
import { checkAgainst, type SchemaMismatch } from '../schema/schema-problems.ts';
import { knownKeysAt } from '../schema/schema-shape.ts';
import { YamlPlaces } from '../yaml/yaml-places.ts';
import { readYaml } from '../yaml/yaml-source.ts';
import { yamlToJson } from '../yaml/yaml-to-json.ts';
import { oneKind, type TriggerDoc, triggerShape } from './trigger-doc.ts';
import { type TriggeredFlow, triggerFindings } from './trigger-findings.ts';

/** Name of the file, at the top of the workspace. */
export const workspaceTriggersFile = 'triggers.yaml';

/** A trigger in `triggers.yaml`. */
export interface WorkspaceTriggerDoc extends TriggerDoc {
  /** Path of a flow relative to the workspace, or its name: `PRODUCT/FLOW`, `PRODUCT`, or `FLOW` in a product's own file. */
  readonly flow: string;
}

/** A flow that a trigger names. */
export interface NamedFlow extends TriggeredFlow {
  /** Relative to the workspace. */
  readonly path: string;
}

/** Finds a flow by its path or name; undefined if there is none, or it cannot be read. */
export type FindFlow = (name: string) => NamedFlow | undefined;

const itemSchema: z.ZodType<WorkspaceTriggerDoc> = z.lazy(() =>
  z.strictObject({ flow: z.string().min(1).describe('Path or name of the flow.'), ...triggerShape() }).meta(oneKind),
);

export interface ParsedWorkspaceTriggers {
  /** Those without errors, with the paths of their flows. */
  readonly triggers: readonly WorkspaceTriggerDoc[];
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses and checks the file. Never throws. A trigger with an error is left out, and the others remain. */
export function parseWorkspaceTriggers(text: string, findFlow: FindFlow): ParsedWorkspaceTriggers {
  const source = text.replace(/^\uFEFF/, '');
  const { root, problems } = readYaml(source);
  const isEmpty = root === null && problems.every(({ code }) => code === 'yaml.empty');
  if (isEmpty) return { triggers: [], diagnostics: [] };
  const read = root === null ? { value: null, problems, aliasTargets: new Map() } : yamlToJson(root);
  const places = new YamlPlaces({ text: source, root, aliasTargets: read.aliasTargets });
  if (read.problems.length > 0) {
    const diagnostics = read.problems.map(({ code, message, ...at }): Diagnostic => {
      return { code, severity: 'error', message, range: places.sourceRange({ code, message, ...at }) };
    });
    return { triggers: [], diagnostics };
  }
  return checked(read.value, { places, findFlow });
}

function checked(
  value: JsonValue,
  { places, findFlow }: { readonly places: YamlPlaces; readonly findFlow: FindFlow },
): ParsedWorkspaceTriggers {
  if (!isJsonList(value)) {
    const message = 'The file must be a list of triggers, each with its flow: - { flow: …, id: …, schedule: … }.';
    return { triggers: [], diagnostics: [{ ...listError, message, range: places.problemRange([]) }] };
  }
  const shapes = value.map((item) => checkAgainst(itemSchema, item));
  const docs = new Map([...shapes.entries()].flatMap(([at, shape]) => (shape.ok ? [[at, shape.value] as const] : [])));
  const findings = [
    ...shapes.flatMap((shape, at) => (shape.ok ? [] : placedAt([at], shape.problems.map(shapeFinding)))),
    ...contentFindings(docs, findFlow),
  ];
  const wrong = new Set(findings.flatMap(({ severity, path }) => (severity === 'error' ? [path[0]] : [])));
  return {
    triggers: [...docs].flatMap(([at, doc]) =>
      wrong.has(at) ? [] : { ...doc, flow: findFlow(doc.flow)?.path ?? doc.flow },
    ),
    diagnostics: findings
      .map((finding) => diagnosticOf(finding, places))
      .sort((a, b) => a.range.line - b.range.line || a.range.column - b.range.column),
  };
}

const listError = { code: 'flow.wrong-type', severity: 'error' } as const;

function diagnosticOf(finding: Finding, places: YamlPlaces): Diagnostic {
  const { code, severity, path, focus } = finding;
  const isPart = typeof focus === 'object';
  const range = isPart
    ? places.partRange(path, focus.part)
    : focus === 'key'
      ? places.keyRange(path)
      : places.problemRange(path);
  return { code, severity, message: messageOf(finding), range };
}

/** Paths are relative to the trigger. */
function shapeFinding({ path, kind, message }: SchemaMismatch): Finding {
  const key = String(path.at(-1) ?? 'trigger');
  if (kind !== 'unknown-key') {
    const words = kind === 'missing' ? `The key "${key}" is missing.` : `"${key}" ${message}.`;
    return { code: 'trigger.invalid', severity: 'error', message: words, path };
  }
  const known = knownKeysAt(itemSchema, path.slice(0, -1));
  const words = `Unknown key "${key}".${didYouMean(key, known) || ` Known keys: ${known.join(', ')}.`}`;
  return { code: 'flow.unknown-key', severity: 'error', message: words, path, focus: 'key' };
}

/** IDs are unique among the triggers of a flow, so the triggers of each flow are checked together. */
function contentFindings(docs: ReadonlyMap<number, WorkspaceTriggerDoc>, findFlow: FindFlow): readonly Finding[] {
  const byPath = new Map<string, { readonly flow: NamedFlow; readonly places: number[] }>();
  const missing: Finding[] = [];
  for (const [at, { flow: name }] of docs) {
    const flow = findFlow(name);
    if (flow === undefined) {
      const message = `There is no flow "${name}" in the workspace, or it has problems.`;
      missing.push({ code: 'trigger.invalid', severity: 'error', message, path: [at, 'flow'] });
    } else {
      const own = byPath.get(flow.path) ?? { flow, places: [] };
      byPath.set(flow.path, own);
      own.places.push(at);
    }
  }
  const found = [...byPath.values()].flatMap(({ flow, places }) =>
    triggerFindings(
      places.flatMap((at) => docs.get(at) ?? []),
      flow,
    ).flatMap((finding) => {
      const [index = 0, ...rest] = finding.path;
      return placedAt([places[Number(index)] ?? 0], [{ ...finding, path: rest }]);
    }),
  );
  return [...missing, ...found];
}
