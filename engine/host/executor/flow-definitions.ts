/**
 * Compiles flow texts together with the schema files they name. Recently used texts are not validated and compiled
 * again.
 */

import type { Diagnostic } from '../../language/findings/diagnostic.ts';
import {
  type CheckedFlow,
  checkFlow,
  checkParsedFlow,
  compileStarted,
  compileWith,
} from '../../language/flow/check-flow.ts';
import { compileFlow } from '../../language/flow/compile-flow.ts';
import type { CompiledFlow } from '../../language/flow/compiled-flow.ts';
import type { FlowDoc } from '../../language/flow/flow-doc.ts';
import { type CompileScripts, findScriptProblems } from '../../language/flow/flow-scripts.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { productOfPath } from '../../language/flow/product-path.ts';
import { noSchemaFiles, type SchemaFiles, schemaFilesOf } from '../../language/flow/schema-files.ts';
import { packDefinition, type StoredDefinition, unpackDefinition } from '../../language/flow/stored-definition.ts';
import { deepFreeze } from '../../language/json/checked-json.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import type { NodeTypeCatalog } from '../../language/types/node-type-spec.ts';
import { invalidFlow } from './refusals.ts';

/** Maximum total size of all texts in UTF-16 units. Compiled flows take about ten times as much memory. */
const largestSum = 4 * 2 ** 20;

const mostTexts = 16;

/** A compiled text. */
export interface CachedFlowDefinition {
  readonly flow: CompiledFlow;
  /** The text with the schemas of the files it names, as created by `packDefinition`. */
  readonly definition: string;
  /** The schema files it names. */
  readonly schemaFiles: readonly string[];
}

/**
 * One engine's cache. Node types never change, so a definition always has the same problems. Only valid flows are
 * stored.
 */
export class KnownFlows {
  /** Flows by text, most recently used last. */
  readonly #flows = new Map<string, CachedFlowDefinition>();
  #sum = 0;

  get(text: string): CachedFlowDefinition | undefined {
    const known = this.#flows.get(text);
    if (known === undefined) return undefined;
    this.#flows.delete(text);
    this.#flows.set(text, known);
    return known;
  }

  /** Stores a flow, frozen because runs share it. @param known a flow that passed this engine's validation */
  add(text: string, known: CachedFlowDefinition): void {
    this.#remove(text);
    if (known.definition.length > largestSum) return;
    deepFreeze(known.flow);
    this.#flows.set(text, known);
    this.#sum += known.definition.length;
    for (const oldest of this.#flows.keys()) {
      if (this.#sum <= largestSum && this.#flows.size <= mostTexts) break;
      this.#remove(oldest);
    }
  }

  #remove(text: string): void {
    this.#sum -= this.#flows.get(text)?.definition.length ?? 0;
    this.#flows.delete(text);
  }
}

export interface FlowDefinitionsOptions {
  readonly registry: NodeTypeCatalog;
  /** Reads the schema files named by the definition at a path. */
  readonly readSchemas: (path: string, names: readonly string[]) => Promise<SchemaFiles>;
  /** Checks whether scripts compile; if absent, errors are found only when they run. */
  readonly compileScripts?: CompileScripts;
  /** Checks whether the tools that a flow names exist; if absent, errors are found only when they are called. */
  readonly findToolProblems?: FindToolProblems;
}

/** Returns problems with the tools that a flow names, with positions. */
export type FindToolProblems = (flow: {
  readonly doc: FlowDoc | null;
  readonly text: string;
  /** Path relative to the workspace with `/`, or absolute. */
  readonly path: string;
}) => Promise<readonly Diagnostic[]>;

/** A definition provided by a caller: its text, its path, and its validation if available. */
interface GivenDefinition {
  readonly path: string;
  readonly text: string;
  readonly checked?: CheckedFlow;
  /** Outputs by node id, used instead of running these nodes. */
  readonly pins?: Readonly<Record<string, JsonValue>>;
}

export class FlowDefinitions {
  readonly #options: FlowDefinitionsOptions;
  readonly #known = new KnownFlows();

  constructor(options: FlowDefinitionsOptions) {
    this.#options = options;
  }

  /** Compiles with the current schema files. @throws EngineError `flow.invalid` */
  async compiled({ path, text, checked, pins = {} }: GivenDefinition): Promise<CachedFlowDefinition> {
    const { registry, readSchemas } = this.#options;
    const key = keyOf(path, text);
    const known = this.#known.get(key);
    if (known?.schemaFiles.length === 0) return known;
    if (checked !== undefined) return await this.#sound(path, checked, { text, schemas: checked.schemas });
    const parsed = parseFlow(text);
    const schemaFiles = known?.schemaFiles ?? (parsed.doc === null ? [] : schemaFilesOf(parsed.doc, registry));
    const schemas = schemaFiles.length === 0 ? noSchemaFiles : await readSchemas(path, schemaFiles);
    if (known?.definition === packDefinition({ text, schemas })) return known;
    const pinned = new Set(Object.keys(pins));
    const found = await this.#sound(path, checkParsedFlow(parsed, registry, schemas, { pinned }), { text, schemas });
    // The same text may have errors without its pins.
    if (pinned.size === 0) this.#known.add(key, found);
    return found;
  }

  /** @throws EngineError `flow.invalid` */
  async #sound(path: string, checked: CheckedFlow, definition: StoredDefinition): Promise<CachedFlowDefinition> {
    const { registry, compileScripts, findToolProblems } = this.#options;
    const known = knownFlowOf(path, checked, definition);
    const flow = { doc: checked.parsed.doc, text: definition.text, path };
    const problems = [
      ...((await findToolProblems?.(flow)) ?? []),
      ...(compileScripts === undefined ? [] : await findScriptProblems(flow, registry, compileScripts)),
    ];
    if (problems.length > 0) throw invalidFlow(path, [...checked.diagnostics, ...problems]);
    return known;
  }

  /** Compiles with the schemas stored in the history. @throws EngineError `flow.invalid` */
  compiledAsKept(path: string, definition: string): CompiledFlow {
    const { text, schemas } = unpackDefinition(definition);
    const key = keyOf(path, text);
    const known = this.#known.get(key);
    if (known?.definition === definition) return known.flow;
    const { registry } = this.#options;
    const checked = checkFlow(text, registry, schemas);
    const flow = compileStarted(checked, registry);
    const found = knownFlowOf(path, { ...checked, flow }, { text, schemas });
    // A run of a flow with type errors may be resumed, but a new run is rejected.
    if (checked.flow !== null) this.#known.add(key, found);
    return found.flow;
  }

  /** Compiles an earlier definition. Only used for comparison, so the definition no longer has to be valid. */
  former(definition: string): CompiledFlow {
    const { text, schemas } = unpackDefinition(definition);
    const known = this.#known.get(text);
    if (known?.definition === definition) return known.flow;
    const { doc } = parseFlow(text);
    if (doc === null) return compileFlow({ flow: { name: '' }, nodes: [], edges: [] });
    return compileWith(doc, this.#options.registry, schemas);
  }
}

/** Returns a text's cache key. It includes the product, because validation depends on it. */
function keyOf(path: string, text: string): string {
  const product = productOfPath(path);
  return product === undefined ? text : `${product}/${text}`;
}

/** @throws EngineError `flow.invalid` */
function knownFlowOf(
  path: string,
  { flow, diagnostics }: CheckedFlow,
  definition: StoredDefinition,
): CachedFlowDefinition {
  if (flow === null) throw invalidFlow(path, diagnostics);
  return {
    flow: placed(flow, path),
    definition: packDefinition(definition),
    schemaFiles: [...definition.schemas.keys()],
  };
}

/** Returns the flow with its location. Names in steps are resolved relative to the flow's product. */
function placed(flow: CompiledFlow, path: string): CompiledFlow {
  const product = productOfPath(path);
  if (flow.dialect === undefined || product === undefined) return flow;
  return { ...flow, dialect: { ...flow.dialect, product } };
}
