/**
 * Parses a team file (`millrace.team.yaml`) and reports problems with their positions. Never throws: a file with errors
 * still applies its restrictions, and the strictest settings apply for unreadable sections.
 */
import type { Diagnostic, DiagnosticCode } from '../../language/findings/diagnostic.ts';
import { didYouMean } from '../../language/findings/nearest.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { checkAgainst, type SchemaMismatch, type ValuePath } from '../../language/schema/schema-problems.ts';
import { YamlPlaces } from '../../language/yaml/yaml-places.ts';
import { readYaml } from '../../language/yaml/yaml-source.ts';
import { yamlToJson } from '../../language/yaml/yaml-to-json.ts';
import { type CompiledPolicy, compilePolicy } from '../../runtime/governance/policy-layer.ts';
import { withoutNulls } from '../../runtime/governance/policy-schema.ts';
import { closedSections, type TeamRules, type TeamSection, teamFormat, teamSections } from './team-schema.ts';

export type ClosedSection = keyof typeof closedSections;

export interface TeamFile {
  readonly rules: TeamRules;
  /** Policies with line numbers; absent if there are none or they are invalid. */
  readonly policy?: CompiledPolicy;
  /** Invalid sections, for which the strictest settings apply. */
  readonly closed: readonly ClosedSection[];
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Maximum length of a team file in characters. Typical files have a few pages at most. */
export const maxTeamFileLength = 1024 * 1024;

const unnamed = { name: 'a team with an unreadable name' };

/** Returns the settings for a completely invalid file. */
export function closedTeam(diagnostics: readonly Diagnostic[]): TeamFile {
  const closed = Object.keys(closedSections) as ClosedSection[];
  return { rules: { ...closedSections, team: unnamed }, closed, diagnostics };
}

/** Parses a team file. */
export function parseTeamFile(text: string): TeamFile {
  const source = text.replace(/^\uFEFF/, '');
  const { root, problems } = readYaml(source);
  if (root === null) {
    const places = new YamlPlaces({ text: source, root, aliasTargets: new Map() });
    return closedTeam(
      problems.map((problem) => ({
        code: problem.code,
        severity: 'error',
        message:
          problem.code === 'yaml.empty'
            ? 'The file is empty. A team file needs the keys version and team.'
            : problem.message,
        range: places.sourceRange(problem),
      })),
    );
  }
  const { value, problems: valueProblems, aliasTargets } = yamlToJson(root);
  const places = new YamlPlaces({ text: source, root, aliasTargets });
  const diagnostics: Diagnostic[] = valueProblems.map((problem) =>
    error(problem.code, problem.message, places.sourceRange(problem)),
  );
  if (!isJsonMap(value)) {
    return closedTeam([
      ...diagnostics,
      error('team.not-a-map', 'A team file needs the keys version and team.', places.start()),
    ]);
  }
  const format = formatProblem(value, places);
  // A duplicate key or an unknown format makes the meaning ambiguous.
  if (diagnostics.length > 0 || format !== undefined) {
    const { rules, ...closed } = closedTeam([...diagnostics, ...(format === undefined ? [] : [format])]);
    return { ...closed, rules: { ...rules, ...sectionsOf(pick(value, 'team'), places).rules } };
  }
  return sectionsOf(value, places);
}

function pick(value: JsonMap, key: string): JsonMap {
  return Object.hasOwn(value, key) ? { [key]: value[key] ?? null } : {};
}

function formatProblem(value: JsonMap, places: YamlPlaces): Diagnostic | undefined {
  const { version } = value;
  if (version === teamFormat) return undefined;
  const mend = `This program supports version ${teamFormat}. Write "version: ${teamFormat}".`;
  if (version === undefined) return error('team.missing-key', `version is missing. ${mend}`, places.start());
  const isNewer = typeof version === 'number' && version > teamFormat;
  const words = isNewer ? `The file has format version ${version}. Update Millrace.` : `version is wrong. ${mend}`;
  return error(isNewer ? 'team.newer-version' : 'team.bad-value', words, places.problemRange(['version']));
}

function sectionsOf(value: JsonMap, places: YamlPlaces): TeamFile {
  const names = Object.keys(teamSections) as TeamSection[];
  const diagnostics: Diagnostic[] = [];
  const closed: ClosedSection[] = [];
  const rules: Record<string, unknown> = { team: unnamed };
  for (const key of Object.keys(value)) {
    if (key !== 'version' && !names.some((name) => name === key))
      diagnostics.push(unknownKey([key], ['version', ...names], places));
  }
  if (!Object.hasOwn(value, 'team')) {
    diagnostics.push(
      error(
        'team.missing-key',
        'team is missing. It names the team of this file ("team: { name: … }").',
        places.start(),
      ),
    );
  }
  for (const name of names.filter((one) => Object.hasOwn(value, one))) {
    const section = readSection(name, value[name] ?? null, places);
    diagnostics.push(...section.diagnostics);
    if (section.value !== undefined) rules[name] = section.value;
    else if (isClosable(name)) {
      rules[name] = closedSections[name];
      closed.push(name);
    }
  }
  const read = rules as unknown as TeamRules;
  const policies = closed.includes('policies') ? undefined : read.policies;
  const lineAt = (path: ValuePath): number => places.keyRange(['policies', ...path]).line;
  return {
    rules: read,
    ...(policies === undefined ? {} : { policy: compilePolicy(policies, lineAt) }),
    closed,
    diagnostics: diagnostics.sort(byPlace),
  };
}

function isClosable(name: TeamSection): name is ClosedSection {
  return Object.hasOwn(closedSections, name);
}

interface ReadSection {
  /** Undefined if it is invalid. */
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
}

function readSection(name: TeamSection, given: JsonValue, places: YamlPlaces): ReadSection {
  const value = name === 'policies' && isJsonMap(given) ? withoutNulls(given) : given;
  const first = checkAgainst<unknown>(teamSections[name], value);
  if (first.ok) return { value: first.value, diagnostics: [] };
  const unknown = first.problems.filter(({ kind }) => kind === 'unknown-key');
  const wrong = first.problems.filter(({ kind }) => kind !== 'unknown-key');
  const diagnostics = [
    ...unknown.map(({ path }) => unknownKey([name, ...path], knownKeys(name, path.slice(0, -1)), places)),
    ...wrong.map((problem) => wrongValue(name, problem, places)),
  ];
  if (wrong.length > 0) return { value: undefined, diagnostics };
  const second = checkAgainst<unknown>(teamSections[name], unknown.reduce(without, value));
  return { value: second.ok ? second.value : undefined, diagnostics };
}

function without(value: JsonValue, { path }: Pick<SchemaMismatch, 'path'>): JsonValue {
  const [key, ...rest] = path;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? without(item, { path: rest }) : item));
  if (!isJsonMap(value) || key === undefined) return value;
  if (rest.length > 0) return { ...value, [key]: without(value[key] ?? null, { path: rest }) };
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

/** Returns the keys that are valid at a path, according to the object schemas. */
function knownKeys(name: TeamSection, path: ValuePath): readonly string[] {
  let schema: unknown = teamSections[name];
  for (const step of path) schema = inner(schema, step);
  const shape = shapeOf(schema);
  return shape === undefined ? [] : Object.keys(shape);
}

function inner(schema: unknown, step: string | number): unknown {
  const shape = shapeOf(schema);
  if (shape !== undefined) return shape[step];
  const { element, valueType } = definitionOf(schema);
  return element ?? valueType;
}

function shapeOf(schema: unknown): Readonly<Record<string | number, unknown>> | undefined {
  return definitionOf(schema).shape;
}

interface ZodDefinition {
  readonly shape?: Readonly<Record<string | number, unknown>>;
  readonly element?: unknown;
  readonly valueType?: unknown;
  readonly innerType?: unknown;
}

function definitionOf(schema: unknown): ZodDefinition {
  const definition = (schema as { readonly def?: ZodDefinition } | undefined)?.def ?? {};
  return definition.innerType === undefined ? definition : definitionOf(definition.innerType);
}

function unknownKey(path: ValuePath, known: readonly string[], places: YamlPlaces): Diagnostic {
  const word = String(path.at(-1));
  const message = `${path.join('.')} is unknown and has no effect.${didYouMean(word, known)}`;
  return { code: 'team.unknown-key', severity: 'warning', message, range: places.keyRange(path) };
}

const codes: Readonly<Record<Exclude<SchemaMismatch['kind'], 'unknown-key'>, DiagnosticCode>> = {
  missing: 'team.missing-key',
  'wrong-type': 'team.wrong-type',
  'bad-value': 'team.bad-value',
};

function wrongValue(name: TeamSection, { path, kind, message }: SchemaMismatch, places: YamlPlaces): Diagnostic {
  const whole = [name, ...path];
  const code = kind === 'unknown-key' ? 'team.unknown-key' : codes[kind];
  return error(code, `${whole.join('.')} ${message}.`, places.problemRange(whole));
}

function error(code: DiagnosticCode, message: string, range: Diagnostic['range']): Diagnostic {
  return { code, severity: 'error', message, range };
}

function byPlace({ range: left }: Diagnostic, { range: right }: Diagnostic): number {
  return left.line - right.line || left.column - right.column;
}
