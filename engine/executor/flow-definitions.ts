/**
 * Texts of flows → what they are compiled to, with the schema files that they name. The same text is not checked and compiled
 * again while it was used lately.
 */
import { type CheckedFlow, checkFlow, checkParsedFlow, compileStarted, compileWith } from '../flowspec/check-flow.ts';
import { deepFreeze } from '../flowspec/checked-json.ts';
import { compileFlow } from '../flowspec/compile-flow.ts';
import type { CompiledFlow } from '../flowspec/compiled-flow.ts';
import type { Diagnostic } from '../flowspec/diagnostic.ts';
import type { FlowDoc } from '../flowspec/flow-doc.ts';
import { type CompileScripts, findScriptProblems } from '../flowspec/flow-scripts.ts';
import type { JsonValue } from '../flowspec/json-value.ts';
import type { NodeTypeCatalog } from '../flowspec/node-type-spec.ts';
import { parseFlow } from '../flowspec/parse-flow.ts';
import { productOfPath } from '../flowspec/product-path.ts';
import { noSchemaFiles, type SchemaFiles, schemaFilesOf } from '../flowspec/schema-files.ts';
import { type Definition, packDefinition, unpackDefinition } from '../flowspec/stored-definition.ts';
import { invalidFlow } from './refusals.ts';

/** In UTF-16 units, of all texts together; what they are compiled to takes about ten times as much. */
const largestSum = 4 * 2 ** 20;

const mostTexts = 16;

/** What a text was compiled to. */
export interface KnownFlow {
  readonly flow: CompiledFlow;
  /** The text with the schemas of the files that it names, as `packDefinition` makes it. */
  readonly definition: string;
  /** The schema files that it names. */
  readonly schemaFiles: readonly string[];
}

/**
 * Of one engine, whose node types never change: what the checks say of a definition follows from the two. Only flows that may
 * run are kept.
 */
export class KnownFlows {
  /** By text; the one that was used last comes last. */
  readonly #flows = new Map<string, KnownFlow>();
  #sum = 0;

  get(text: string): KnownFlow | undefined {
    const known = this.#flows.get(text);
    if (known === undefined) return undefined;
    this.#flows.delete(text);
    this.#flows.set(text, known);
    return known;
  }

  /** Keeps a flow, frozen, since runs share it. @param known what this engine's checks have let pass */
  add(text: string, known: KnownFlow): void {
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
  /** The schema files that the definition at a path names. */
  readonly readSchemas: (path: string, names: readonly string[]) => Promise<SchemaFiles>;
  /** Looks whether scripts compile; without it that shows when they run. */
  readonly compileScripts?: CompileScripts;
  /** Looks whether there are the tools that a flow names; without it that shows when they are called. */
  readonly findToolProblems?: FindToolProblems;
}

/** What is wrong with the tools that a flow names, at their places. */
export type FindToolProblems = (flow: {
  readonly doc: FlowDoc | null;
  readonly text: string;
  /** Where it stands: relative to the workspace with `/`, or absolute. */
  readonly path: string;
}) => Promise<readonly Diagnostic[]>;

/** A definition as somebody has it: its text, where it stands, and the check of it where there was one. */
interface GivenDefinition {
  readonly path: string;
  readonly text: string;
  readonly checked?: CheckedFlow;
  /** By id of nodes: outputs that they give instead of running. */
  readonly pins?: Readonly<Record<string, JsonValue>>;
}

export class FlowDefinitions {
  readonly #options: FlowDefinitionsOptions;
  readonly #known = new KnownFlows();

  constructor(options: FlowDefinitionsOptions) {
    this.#options = options;
  }

  /** With the schema files as they are now. @throws EngineError `flow.invalid` */
  async compiled({ path, text, checked, pins = {} }: GivenDefinition): Promise<KnownFlow> {
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
    // Without its pins, the same text may have errors.
    if (pinned.size === 0) this.#known.add(key, found);
    return found;
  }

  /** @throws EngineError `flow.invalid` */
  async #sound(path: string, checked: CheckedFlow, definition: Definition): Promise<KnownFlow> {
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

  /** With the schemas that the history keeps with it. @throws EngineError `flow.invalid` */
  compiledAsKept(path: string, definition: string): CompiledFlow {
    const { text, schemas } = unpackDefinition(definition);
    const key = keyOf(path, text);
    const known = this.#known.get(key);
    if (known?.definition === definition) return known.flow;
    const { registry } = this.#options;
    const checked = checkFlow(text, registry, schemas);
    const flow = compileStarted(checked, registry);
    const found = knownFlowOf(path, { ...checked, flow }, { text, schemas });
    // A flow with type errors may continue, but a new run of it is refused.
    if (checked.flow !== null) this.#known.add(key, found);
    return found.flow;
  }

  /** What ran is only compared: whether it could run today does not matter. */
  former(definition: string): CompiledFlow {
    const { text, schemas } = unpackDefinition(definition);
    const known = this.#known.get(text);
    if (known?.definition === definition) return known.flow;
    const { doc } = parseFlow(text);
    if (doc === null) return compileFlow({ flow: { name: '' }, nodes: [], edges: [] });
    return compileWith(doc, this.#options.registry, schemas);
  }
}

/** What the checks say of a text depends on whose flow it is. */
function keyOf(path: string, text: string): string {
  const product = productOfPath(path);
  return product === undefined ? text : `${product}/${text}`;
}

/** @throws EngineError `flow.invalid` */
function knownFlowOf(path: string, { flow, diagnostics }: CheckedFlow, definition: Definition): KnownFlow {
  if (flow === null) throw invalidFlow(path, diagnostics);
  return {
    flow: placed(flow, path),
    definition: packDefinition(definition),
    schemaFiles: [...definition.schemas.keys()],
  };
}

/** What steps name goes by whose they are. */
function placed(flow: CompiledFlow, path: string): CompiledFlow {
  const product = productOfPath(path);
  if (flow.dialect === undefined || product === undefined) return flow;
  return { ...flow, dialect: { ...flow.dialect, product } };
}
