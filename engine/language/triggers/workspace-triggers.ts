/**
 * Reads a workspace's `triggers.yaml`: triggers of step flows, because files with steps have no room for them.
 */
import { z } from 'zod';
import type { Diagnostic } from '../findings/diagnostic.ts';
import { type Finding, messageOf, placedAt } from '../findings/finding.ts';
import { didYouMean } from '../findings/nearest.ts';
import type { JsonValue } from '../json/json-value.ts';
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
  /** Path of a flow, relative to the workspace. */
  readonly flow: string;
}

const fileSchema: z.ZodType<readonly WorkspaceTriggerDoc[]> = z.lazy(() =>
  z.array(
    z
      .strictObject({ flow: z.string().min(1).describe('Path of the flow in the workspace.'), ...triggerShape() })
      .meta(oneKind),
  ),
);

export interface ParsedWorkspaceTriggers {
  /** Empty if there are errors. */
  readonly triggers: readonly WorkspaceTriggerDoc[];
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Parses and checks the file. Never throws.
 * @param flowAt returns a flow by its path; undefined if there is none, or it cannot be read
 */
export function parseWorkspaceTriggers(
  text: string,
  flowAt: (path: string) => TriggeredFlow | undefined,
): ParsedWorkspaceTriggers {
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
  return checked(read.value, { places, flowAt });
}

function checked(
  value: JsonValue,
  { places, flowAt }: { readonly places: YamlPlaces; readonly flowAt: (path: string) => TriggeredFlow | undefined },
): ParsedWorkspaceTriggers {
  const shape = checkAgainst(fileSchema, value);
  const findings = shape.ok ? contentFindings(shape.value, flowAt) : shape.problems.map(shapeFinding);
  const diagnostics = findings.map((finding): Diagnostic => {
    const { code, severity, path, focus } = finding;
    const isPart = typeof focus === 'object';
    const range = isPart
      ? places.partRange(path, focus.part)
      : focus === 'key'
        ? places.keyRange(path)
        : places.problemRange(path);
    return { code, severity, message: messageOf(finding), range };
  });
  const isValid = shape.ok && findings.every(({ severity }) => severity !== 'error');
  return {
    triggers: isValid ? shape.value : [],
    diagnostics: diagnostics.sort((a, b) => a.range.line - b.range.line || a.range.column - b.range.column),
  };
}

function shapeFinding({ path, kind, message }: SchemaMismatch): Finding {
  const key = String(path.at(-1) ?? 'file');
  if (path.length === 0) {
    const words =
      'The file must be a list of triggers, each with the path of its flow: - { flow: …, id: …, schedule: … }.';
    return { code: 'flow.wrong-type', severity: 'error', message: words, path };
  }
  if (kind !== 'unknown-key') {
    const words = kind === 'missing' ? `The key "${key}" is missing.` : `"${key}" ${message}.`;
    return { code: 'trigger.invalid', severity: 'error', message: words, path };
  }
  const known = knownKeysAt(fileSchema, path.slice(0, -1));
  const words = `Unknown key "${key}".${didYouMean(key, known) || ` Known keys: ${known.join(', ')}.`}`;
  return { code: 'flow.unknown-key', severity: 'error', message: words, path, focus: 'key' };
}

/** IDs are unique among the triggers of a flow, so the triggers of each flow are checked together. */
function contentFindings(
  triggers: readonly WorkspaceTriggerDoc[],
  flowAt: (path: string) => TriggeredFlow | undefined,
): readonly Finding[] {
  const paths = new Set(triggers.map(({ flow }) => flow));
  return [...paths].flatMap((path): readonly Finding[] => {
    const own = [...triggers.keys()].filter((index) => triggers[index]?.flow === path);
    const flow = flowAt(path);
    if (flow === undefined) {
      const message = `There is no flow "${path}" in the workspace, or it has problems.`;
      return own.map((index) => ({ code: 'trigger.invalid', severity: 'error', message, path: [index, 'flow'] }));
    }
    const found = triggerFindings(
      own.flatMap((index) => triggers[index] ?? []),
      flow,
    );
    return found.flatMap((finding) => {
      const [at = 0, ...rest] = finding.path;
      return placedAt([own[Number(at)] ?? 0], [{ ...finding, path: rest }]);
    });
  });
}
