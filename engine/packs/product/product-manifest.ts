/**
 * Parses a product's `manifest.yaml` and reports problems with their positions. Never throws.
 */
import { z } from 'zod';
import type { Diagnostic, DiagnosticCode, TextRange } from '../../language/findings/diagnostic.ts';
import { didYouMean } from '../../language/findings/nearest.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { checkAgainst, type SchemaMismatch, type ValuePath } from '../../language/schema/schema-problems.ts';
import { YamlPlaces } from '../../language/yaml/yaml-places.ts';
import { readYaml } from '../../language/yaml/yaml-source.ts';
import { yamlToJson } from '../../language/yaml/yaml-to-json.ts';

/** File name in the product's folder. */
export const manifestName = 'manifest.yaml';

const text = z.exactOptional(z.string().max(10_000).nullable());

/** Schema of a manifest. `ui` is for other programs, and `flows` and `exposed_api` are parsed separately. */
const manifestShape = {
  name: text,
  display_name: text,
  description: text,
  version: z.exactOptional(z.union([z.string(), z.number()]).nullable()),
  default_flow: text,
  exposed_api: z.exactOptional(z.unknown()),
  ui: z.exactOptional(z.unknown()),
  flows: z.exactOptional(z.unknown()),
};

const manifestSchema = z.strictObject(manifestShape);

/** A flow listed in a manifest, as written. */
export interface ManifestFlow {
  /** A name or a file. */
  readonly written: string;
  readonly range: TextRange;
}

/** Text with its position. */
interface PlacedText {
  readonly value: string;
  readonly range: TextRange;
}

export interface ProductManifest {
  readonly name?: PlacedText;
  readonly title?: string;
  readonly description?: string;
  readonly version?: string;
  readonly defaultFlow?: PlacedText;
  /** Listed flows; absent if every flow file in the folder counts. */
  readonly flows?: readonly ManifestFlow[];
  /** Names of the flows that may have an address. */
  readonly exposedFlows?: readonly string[];
}

export interface ParsedProductManifest {
  /** Null if it is invalid. */
  readonly manifest: ProductManifest | null;
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses a manifest. */
export function parseProductManifest(source: string): ParsedProductManifest {
  const plain = source.replace(/^\uFEFF/, '');
  const { root, problems } = readYaml(plain);
  if (root === null) {
    const places = new YamlPlaces({ text: plain, root, aliasTargets: new Map() });
    // An empty manifest counts as a missing one.
    if (problems.every(({ code }) => code === 'yaml.empty')) return { manifest: {}, diagnostics: [] };
    return failed(problems.map((problem) => error(problem.code, problem.message, places.sourceRange(problem))));
  }
  const { value, problems: valueProblems, aliasTargets } = yamlToJson(root);
  const places = new YamlPlaces({ text: plain, root, aliasTargets });
  const found = valueProblems.map((problem) => error(problem.code, problem.message, places.sourceRange(problem)));
  if (!isJsonMap(value)) {
    const message = 'The manifest of a product must be a map with keys such as name, default_flow and flows.';
    return failed([...found, error('product.not-a-map', message, places.start())]);
  }
  return read(value, places, found);
}

function failed(diagnostics: readonly Diagnostic[]): ParsedProductManifest {
  return { manifest: null, diagnostics };
}

function read(value: JsonMap, places: YamlPlaces, found: readonly Diagnostic[]): ParsedProductManifest {
  const first = checkAgainst(manifestSchema, value);
  const unknown = first.ok ? [] : first.problems.filter(({ kind }) => kind === 'unknown-key');
  const keys = new Set(unknown.map(({ path }) => path[0]));
  const known = Object.fromEntries(Object.entries(value).filter(([key]) => !keys.has(key)));
  const checked = checkAgainst(manifestSchema, known);
  const listed = listedFlows(known['flows'], places);
  const diagnostics = [
    ...found,
    ...unknown.map(({ path }) => unknownKey(path, places)),
    ...(checked.ok ? [] : checked.problems.map((problem) => wrongValue(problem, places))),
    ...listed.problems,
  ].sort((left, right) => left.range.line - right.range.line || left.range.column - right.range.column);
  if (!checked.ok || found.length > 0) return failed(diagnostics);
  return { manifest: manifestOf(known, places, listed.flows), diagnostics };
}

function manifestOf(value: JsonMap, places: YamlPlaces, flows: readonly ManifestFlow[] | undefined): ProductManifest {
  const textAt = (key: string): string | undefined => {
    const said = value[key];
    const words = typeof said === 'string' || typeof said === 'number' ? String(said).trim() : '';
    return words === '' ? undefined : words;
  };
  const placed = (key: string): PlacedText | undefined => {
    const said = textAt(key);
    return said === undefined ? undefined : { value: said, range: places.valueRange([key]) };
  };
  return withoutAbsent({
    name: placed('name'),
    title: textAt('display_name'),
    description: textAt('description'),
    version: textAt('version'),
    defaultFlow: placed('default_flow'),
    flows,
    exposedFlows: exposedFlows(value['exposed_api']),
  });
}

/** Other programs may use other keys of `exposed_api`, so only the flows that it allows are read. */
function exposedFlows(value: JsonValue | undefined): readonly string[] | undefined {
  const listed = isJsonMap(value ?? null) ? (value as JsonMap)['allowed_flows'] : undefined;
  if (!isJsonList(listed ?? null)) return undefined;
  return (listed as readonly JsonValue[]).filter((name) => typeof name === 'string');
}

type Present<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

function withoutAbsent<T extends object>(value: T): Present<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Present<T>;
}

interface Listed {
  readonly flows: readonly ManifestFlow[] | undefined;
  readonly problems: readonly Diagnostic[];
}

/** Parses the listed flows: a list of names or files, or of maps with one of them; or a map from names to either. */
function listedFlows(value: JsonValue | undefined, places: YamlPlaces): Listed {
  if (value === undefined || value === null) return { flows: undefined, problems: [] };
  const entries: readonly (readonly [ValuePath, JsonValue])[] = isJsonList(value)
    ? value.map((entry, index) => [['flows', index], entry])
    : isJsonMap(value)
      ? Object.entries(value).map(([key, entry]) => [['flows', key], entry ?? key])
      : [[['flows'], value]];
  const flows: ManifestFlow[] = [];
  const problems: Diagnostic[] = [];
  for (const [path, entry] of entries) {
    const written = nameIn(entry);
    const range = places.problemRange(path);
    if (written !== undefined) flows.push({ written, range });
    else problems.push(error('product.wrong-type', `${path.join('.')} is not a flow. ${howToList}`, range));
  }
  return { flows, problems };
}

const howToList = 'Write the name of a flow, such as refund, or its file, such as flows/refund.yaml.';

function nameIn(entry: JsonValue): string | undefined {
  if (typeof entry === 'string') return entry.trim() === '' ? undefined : entry.trim();
  if (!isJsonMap(entry)) return undefined;
  const said = ['file', 'path', 'flow', 'id', 'name'].map((key) => entry[key]).find((one) => typeof one === 'string');
  return said === undefined ? undefined : nameIn(said);
}

function unknownKey(path: ValuePath, places: YamlPlaces): Diagnostic {
  const key = String(path[0]);
  const message = `${key} is unknown and has no effect.${didYouMean(key, Object.keys(manifestShape))}`;
  return { code: 'product.unknown-key', severity: 'warning', message, range: places.keyRange(path) };
}

function wrongValue({ path, message }: SchemaMismatch, places: YamlPlaces): Diagnostic {
  return error('product.wrong-type', `${path.join('.')} ${message}.`, places.problemRange(path));
}

function error(code: DiagnosticCode, message: string, range: TextRange): Diagnostic {
  return { code, severity: 'error', message, range };
}
