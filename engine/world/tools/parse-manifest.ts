/**
 * Parses a tool manifest and reports problems with their positions. Never throws.
 */
import { findBindings } from '../../language/bindings/bindings.ts';
import { isSecretName, secretRoot } from '../../language/bindings/secret-bindings.ts';
import type { Diagnostic, DiagnosticCode } from '../../language/findings/diagnostic.ts';
import { didYouMean } from '../../language/findings/nearest.ts';
import { isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { schemaProblems } from '../../language/schema/json-schema.ts';
import { checkAgainst, type SchemaMismatch, type ValuePath } from '../../language/schema/schema-problems.ts';
import { YamlPlaces } from '../../language/yaml/yaml-places.ts';
import { readYaml } from '../../language/yaml/yaml-source.ts';
import { yamlToJson } from '../../language/yaml/yaml-to-json.ts';
import { knownKeysOf, manifestSchema, type ToolManifest } from './manifest-schema.ts';

export interface ParsedManifest {
  /** Null if an error prevents the tool from running. */
  readonly manifest: ToolManifest | null;
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
  /** The secrets that the manifest names, each listed once. */
  readonly secretNames: readonly string[];
  /** Position of a script's code: its first line, from 1, and whether each of its lines is a line of the file. */
  readonly codePlace: { readonly line: number; readonly isExact: boolean };
  /** Positions for problems found by other code. */
  readonly places: {
    /** Position of the name; the start of the file if there is none. */
    readonly toolId: Diagnostic['range'];
    /** Position of the first secret named; otherwise the same as `toolId`. */
    readonly secret: Diagnostic['range'];
    /** Position of the definition to run; otherwise the same as `toolId`. */
    readonly run: Diagnostic['range'];
  };
}

/** Listed in the error for manifests that define nothing to run, or more than one thing. */
const kindsText = 'http, command, lua, js, mcp, agent, flow';

/** Parses a manifest. */
export function parseManifest(text: string): ParsedManifest {
  const source = text.replace(/^\uFEFF/, '');
  const { root, problems } = readYaml(source);
  if (root === null) {
    const places = new YamlPlaces({ text: source, root, aliasTargets: new Map() });
    const empty = 'The file is empty. A tool needs the keys tool_id, description and run.';
    return failed(
      problems.map((problem) =>
        error(problem.code, problem.code === 'yaml.empty' ? empty : problem.message, places.sourceRange(problem)),
      ),
      places,
    );
  }
  const { value, problems: valueProblems, aliasTargets } = yamlToJson(root);
  const places = new YamlPlaces({ text: source, root, aliasTargets });
  const found = valueProblems.map((problem) => error(problem.code, problem.message, places.sourceRange(problem)));
  if (!isJsonMap(value)) {
    const notAMap = error(
      'tool.not-a-map',
      'A tool must be a map with the keys tool_id, description and run.',
      places.start(),
    );
    return failed([...found, notAMap], places);
  }
  return read(value, { places, found, source });
}

interface ManifestParse {
  readonly places: YamlPlaces;
  readonly found: readonly Diagnostic[];
  readonly source: string;
}

function read(value: JsonMap, { places, found, source }: ManifestParse): ParsedManifest {
  const first = checkAgainst(manifestSchema, value);
  const problems = first.ok ? [] : first.problems;
  const unknown = problems.filter(({ kind }) => kind === 'unknown-key');
  const known = unknown.reduce<JsonMap>((rest, { path }) => without(rest, path), value);
  const checked = checkAgainst(manifestSchema, known);
  const diagnostics = [
    ...found,
    ...unknown.map(({ path }) => unknownKey(path, places)),
    ...(checked.ok ? [] : checked.problems).map((problem) => wrongValue(problem, places)),
    ...(checked.ok ? ruleFindings(checked.value, places) : []),
    ...templateFindings(known, places),
  ].sort(byPlace);
  const isBroken = diagnostics.some(({ severity }) => severity === 'error');
  return {
    manifest: checked.ok && !isBroken ? checked.value : null,
    diagnostics,
    secretNames: secretNamesIn(known),
    codePlace: codePlaceIn(known, places, source),
    places: placesIn(known, places),
  };
}

function failed(diagnostics: readonly Diagnostic[], places: YamlPlaces): ParsedManifest {
  const range = places.start();
  return {
    ...{ manifest: null, diagnostics, secretNames: [], codePlace: { line: 1, isExact: false } },
    places: { toolId: range, secret: range, run: range },
  };
}

function placesIn({ tool_id, run = null }: JsonMap, places: YamlPlaces): ParsedManifest['places'] {
  const toolId = tool_id === undefined ? places.start() : places.valueRange(['tool_id']);
  const naming = templatesIn(run).find(({ template }) =>
    template.parts.some((part) => typeof part !== 'string' && part.path[0] === secretRoot),
  );
  return {
    toolId,
    secret: naming === undefined ? toolId : places.valueRange(['run', ...naming.path]),
    run: isJsonMap(run) ? places.problemRange(['run']) : toolId,
  };
}

/** Checks rules that the schema cannot express. */
function ruleFindings(manifest: ToolManifest, places: YamlPlaces): readonly Diagnostic[] {
  const { run, idempotent, max_retries, cache_ttl_ms, input_schema, output_schema } = manifest;
  const kinds = Object.keys(run);
  const found: Diagnostic[] = [];
  const bad = (path: ValuePath, message: string): void => {
    found.push(error('tool.bad-value', message, places.problemRange(path)));
  };
  for (const [key, schema] of Object.entries({ input_schema, output_schema })) {
    for (const { path, message } of schemaProblems(schema ?? true)) {
      bad([key, ...path], `${[key, ...path].join('.')}: ${message}`);
    }
  }
  if (kinds.length !== 1) {
    const has = kinds.length === 0 ? 'nothing' : kinds.join(' and ');
    bad(['run'], `run has ${has}, but needs exactly one of ${kindsText}.`);
  }
  const twice = 'only allowed for tools that can safely be called twice. If that applies, write idempotent: true.';
  if (!idempotent && (max_retries ?? 0) > 0) bad(['max_retries'], `max_retries: ${twice}`);
  if (!idempotent && cache_ttl_ms !== null) bad(['cache_ttl_ms'], `cache_ttl_ms: ${twice}`);
  const { type } = input_schema;
  if (type !== undefined && type !== 'object') bad(['input_schema', 'type'], 'input_schema.type must be object.');
  return found;
}

/** Fields that may name secrets, because only their values are sent out of the program. */
const secretPlaces: Readonly<Record<string, readonly string[]>> = {
  http: ['url', 'headers', 'body'],
  command: ['env', 'stdin'],
};

function templateFindings({ run = null }: JsonMap, places: YamlPlaces): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { path, template } of templatesIn(run)) {
    const range = places.problemRange(['run', ...path]);
    for (const { code, message } of template.problems) found.push(error(code, message, range));
    for (const part of template.parts) {
      const message = typeof part === 'string' ? undefined : partProblem(part.path, path);
      if (message !== undefined) found.push(error('binding.unknown-root', message, range));
    }
  }
  return found;
}

function partProblem(
  [root = '', name = '']: readonly string[],
  [kind = '', field = '']: ValuePath,
): string | undefined {
  const isFilled = field === 'args' || secretPlaces[kind]?.includes(String(field)) === true;
  if (root === 'params' && isFilled) return undefined;
  if (root === 'params') return `${[kind, field].join('.')} must be fixed, so {{params.${name}}} is not allowed in it.`;
  if (root !== secretRoot)
    return `{{${root}}} is not available here. Use {{params.NAME}}, or {{secret.NAME}} where secrets are allowed.`;
  if (!isSecretName(name))
    return 'The name of a secret contains only capital letters, digits and _, as in {{secret.API_TOKEN}}.';
  if (secretPlaces[kind]?.includes(String(field)) === true) return undefined;
  return 'A secret is not allowed here. Use it in url, headers or body of http, or in env or stdin of command.';
}

/** Scripts are not templates. */
function templatesIn(run: JsonValue): ReturnType<typeof findBindings> {
  if (!isJsonMap(run)) return [];
  const { lua: _lua, js: _js, ...others } = run;
  return findBindings(others);
}

function secretNamesIn({ run = null }: JsonMap): readonly string[] {
  const names = templatesIn(run).flatMap(({ template }) =>
    template.parts.flatMap((part) =>
      typeof part !== 'string' && part.path[0] === secretRoot ? (part.path[1] ?? []) : [],
    ),
  );
  return [...new Set(names)];
}

function codePlaceIn({ run = null }: JsonMap, places: YamlPlaces, source: string): ParsedManifest['codePlace'] {
  const kind = isJsonMap(run) ? ['js', 'lua'].find((name) => typeof run[name] === 'string') : undefined;
  if (kind === undefined) return { line: 1, isExact: false };
  const { line, column } = places.valueRange(['run', kind]);
  const isBlock = (source.split('\n')[line - 1] ?? '')[column - 1] === '|';
  return isBlock ? { line: line + 1, isExact: true } : { line, isExact: false };
}

function without(value: JsonMap, [key, ...rest]: ValuePath): JsonMap {
  const inner = value[String(key)];
  if (rest.length > 0) return isJsonMap(inner) ? { ...value, [String(key)]: without(inner, rest) } : value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

function unknownKey(path: ValuePath, places: YamlPlaces): Diagnostic {
  const message = `${path.join('.')} is unknown and has no effect.${didYouMean(String(path.at(-1)), knownKeysOf(path.slice(0, -1)))}`;
  return { code: 'tool.unknown-key', severity: 'warning', message, range: places.keyRange(path) };
}

const codes = { missing: 'tool.missing-key', 'wrong-type': 'tool.wrong-type', 'bad-value': 'tool.bad-value' } as const;

function wrongValue({ path, kind, message }: SchemaMismatch, places: YamlPlaces): Diagnostic {
  const code = kind === 'unknown-key' ? 'tool.unknown-key' : codes[kind];
  const said = kind === 'missing' ? 'is missing' : message;
  return error(code, `${path.join('.')} ${said}.`, places.problemRange(path));
}

function error(code: DiagnosticCode, message: string, range: Diagnostic['range']): Diagnostic {
  return { code, severity: 'error', message, range };
}

function byPlace({ range: left }: Diagnostic, { range: right }: Diagnostic): number {
  return left.line - right.line || left.column - right.column;
}
