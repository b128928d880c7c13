/**
 * Resolves step flow templates leniently: `{{payload.key}}` and `{{artifacts.key}}`. A missing value becomes null, or
 * empty text inside other text. Anything else in braces stays as written.
 */
import { MAX_OUTPUT_BYTES } from '../flow/flow-limits.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, textForm } from '../json/json-value.ts';
import { inputTooLarge } from '../json/too-large.ts';

/** The values for templates. */
export interface StepValues {
  readonly payload: JsonMap;
  /** Artifacts by key; keys contain dots. */
  readonly artifacts: ReadonlyMap<string, JsonValue>;
}

const tokenPattern = /\{\{\s*(payload|artifacts)\.([\w.-]+)\s*\}\}/g;
const wholePattern = /^\{\{\s*(payload|artifacts)\.([\w.-]+)\s*\}\}$/;

/** Returns the paths below `artifacts` in a string's templates, and their offsets. */
export function artifactPaths(text: string): readonly { readonly path: string; readonly start: number }[] {
  return [...text.matchAll(tokenPattern)].flatMap(({ 0: token, 1: root, 2: path = '', index }) =>
    root === 'artifacts' ? [{ path, start: index + token.lastIndexOf(path) }] : [],
  );
}

/** Whether any string in a value contains a template. */
export function holdsTemplate(value: JsonValue): boolean {
  if (typeof value === 'string') return value.search(tokenPattern) !== -1;
  if (isJsonList(value)) return value.some(holdsTemplate);
  return isJsonMap(value) && Object.values(value).some(holdsTemplate);
}

/**
 * Resolves all templates of a value once: a result is data, and is never parsed as a template again. Text that is a
 * single template becomes the value with its type.
 * @throws EngineError `node.input-too-large` if a string would exceed the maximum output size
 */
export function renderTemplates(value: JsonMap, values: StepValues): JsonMap;
export function renderTemplates(value: JsonValue, values: StepValues): JsonValue;
export function renderTemplates(value: JsonValue, values: StepValues): JsonValue {
  if (typeof value === 'string') return value.includes('{{') ? renderText(value, values) : value;
  if (isJsonList(value)) return value.map((item) => renderTemplates(item, values));
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renderTemplates(item, values)]));
}

function renderText(text: string, values: StepValues): JsonValue {
  const whole = wholePattern.exec(text);
  if (whole !== null) return valueAtToken(whole, values) ?? null;
  let length = text.length;
  return text.replace(tokenPattern, (...token) => {
    const found = textForm(valueAtToken(token as unknown as StepTemplateToken, values) ?? '');
    length += found.length;
    if (length > MAX_OUTPUT_BYTES) throw inputTooLarge('A text with its templates filled in', MAX_OUTPUT_BYTES);
    return found;
  });
}

/** A match of a pattern above. */
type StepTemplateToken = readonly [whole: string, root: string, path: string] | RegExpExecArray;

function valueAtToken(
  [, root, path = '']: StepTemplateToken,
  { payload, artifacts }: StepValues,
): JsonValue | undefined {
  const segments = path.split('.');
  return root === 'payload' ? walk(payload, segments) : artifactAt(artifacts, segments);
}

/** The longest prefix of the path that is a key is used, even if the rest of the path is missing. */
function artifactAt(artifacts: StepValues['artifacts'], segments: readonly string[]): JsonValue | undefined {
  // A path may be as long as a file, but no key has more segments than its length allows.
  for (let count = Math.min(segments.length, longestKey(artifacts)); count > 0; count--) {
    const found = artifacts.get(segments.slice(0, count).join('.'));
    if (found !== undefined) return walk(found, segments.slice(count));
  }
  return undefined;
}

function longestKey(artifacts: StepValues['artifacts']): number {
  let most = 0;
  for (const key of artifacts.keys()) most = Math.max(most, key.split('.').length);
  return most;
}

function walk(value: JsonValue, segments: readonly string[]): JsonValue | undefined {
  let current: JsonValue | undefined = value;
  for (const segment of segments) {
    if (isJsonList(current)) current = /^\d+$/.test(segment) ? current[Number(segment)] : undefined;
    else if (isJsonMap(current) && Object.hasOwn(current, segment)) current = current[segment];
    else return undefined;
  }
  return current;
}

/** A template's target. */
export interface TokenPath {
  readonly root: 'payload' | 'artifacts';
  readonly segments: readonly string[];
}

interface TokenReplacer {
  /** Replaces the text between templates. */
  readonly other: (text: string) => string;
  /** @param isWhole whether the string is a single template */
  readonly token: (token: string, path: TokenPath, isWhole: boolean) => string;
}

/** Returns a string with its templates replaced. */
export function replaceTokens(text: string, { other, token }: TokenReplacer): string {
  const isWhole = wholePattern.test(text);
  let replaced = '';
  let end = 0;
  for (const match of text.matchAll(tokenPattern)) {
    const [written, root, path = ''] = match;
    replaced += other(text.slice(end, match.index));
    replaced += token(written, { root: root as TokenPath['root'], segments: path.split('.') }, isWhole);
    end = match.index + written.length;
  }
  return replaced + other(text.slice(end));
}

/** Returns the tokens in braces that are not templates, as written. */
export function strangeTokens(text: string): readonly string[] {
  return [...text.matchAll(/\{\{[^{}]*\}\}/g)].map(([token]) => token).filter((token) => !wholePattern.test(token));
}
