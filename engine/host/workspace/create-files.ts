/**
 * Creates new flows, agents and packs. They are valid and can be run immediately.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { isAgentType } from '../../language/flow/agent-type-name.ts';
import { composeFlow } from '../../language/flow/compose-flow.ts';
import type { FlowDoc } from '../../language/flow/flow-doc.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import type { SchemaFile } from '../../language/flow/schema-files.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { withAgentTypes } from '../../language/types/data-type.ts';
import type { NodeTypeCatalog } from '../../language/types/node-type-spec.ts';
import { newAgentText, newPackFiles } from '../../packs/pack/new-files.ts';
import { isPackVersion } from '../../packs/pack/pack-version.ts';
import { listFlow } from '../../packs/product/list-flow.ts';
import { flowOfSteps } from '../../runtime/nodes/flow-of-steps.ts';
import { systemHolder } from '../../world/files/folders/folder-holder.ts';
import { findByGlobs } from '../../world/files/glob-files.ts';
import { addIfMissing, createEntry } from '../../world/files/place-files.ts';

/** The initial content of a new flow. */
export type NewFlowSource =
  | { readonly kind: 'empty'; readonly name: string }
  | { readonly kind: 'example'; readonly example: string }
  | { readonly kind: 'steps'; readonly name: string; readonly steps: readonly FlowStep[] }
  | { readonly kind: 'text'; readonly text: string };

/** A node of a chain. */
export interface FlowStep {
  /** A node type, such as `prompt`. */
  readonly type: string;
  /** ID of the node; if absent, it is derived from the type. */
  readonly id?: string;
  /** The model, for a node that calls one; if absent, the default model is used. */
  readonly model?: string;
}

/** A bundled flow. */
export interface ExampleFlow {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/** Operations of a host that create files. */
export interface FileCreation {
  /**
   * Writes a new flow, `PATH.flow.yaml`; with given text, also `PATH.yaml`. An example flow is written with the files
   * it uses, unless they exist (`files`). If a product's manifest lists its flows, the new one is added to the list
   * (`listedIn`).
   * @throws EngineError `files.exists` | `files.bad-name` | `example.not-found` | `node.unknown-type` | `node.bad-id`;
   * `product.not-listed` if it was written but could not be added to the manifest
   */
  createFlow(request: {
    readonly path: string;
    readonly from: NewFlowSource;
  }): Promise<{ readonly path: string; readonly files: readonly string[]; readonly listedIn?: string }>;
  /** Writes a new agent, `PATH.aip`. @throws EngineError `files.exists` | `files.bad-name` */
  createAgent(request: { readonly path: string; readonly name: string }): Promise<{ readonly path: string }>;
  /**
   * Writes a new pack in the workspace. Returns its folder and files.
   * @throws EngineError `files.exists` | `pack.bad-ref` | `pack.bad-version`
   */
  createPack(request: {
    readonly ref: string;
    readonly version?: string;
  }): Promise<{ readonly path: string; readonly files: readonly string[] }>;
  /** Lists example flows, sorted by name. */
  listExamples(): Promise<readonly ExampleFlow[]>;
}

export interface CreateOptions {
  /** Absolute path. */
  readonly workspace: string;
  readonly catalog: NodeTypeCatalog;
  /** Reads an agent for use as a node type; absent if agent types are not available. */
  readonly readAgentType?: (type: string) => Promise<SchemaFile>;
  /** Absolute path; absent if there are no examples. */
  readonly examplesFolder?: string;
}

/** Creates the part of an engine that creates files. */
export function createFileCreation(world: CreateOptions): FileCreation {
  const { workspace, examplesFolder } = world;
  return {
    async createFlow({ path, from }) {
      if (from.kind === 'text') refuseEnding(path, /[^/]\.ya?ml$/, '.yaml');
      else refuseEnding(path, /[^/]\.flow\.ya?ml$/, '.flow.yaml');
      const { text, files } = await beginningOf(from, world);
      await createEntry(workspace, { path, kind: 'file', text });
      const added: string[] = [];
      for (const file of files) {
        const placed = { ...file, path: placeOf(file.path, path) };
        if (await addIfMissing(workspace, placed)) added.push(placed.path);
      }
      const listedIn = await listFlow(workspace, path);
      return { path, files: added, ...(listedIn === undefined ? {} : { listedIn }) };
    },
    async createAgent({ path, name }) {
      refuseEnding(path, /[^/]\.aip$/, '.aip');
      await createEntry(workspace, { path, kind: 'file', text: newAgentText(name) });
      return { path };
    },
    createPack: (request) => createPack(workspace, request),
    listExamples: async () => (examplesFolder === undefined ? [] : await listExampleFlows(examplesFolder)),
  };
}

async function beginningOf(from: NewFlowSource, world: CreateOptions): Promise<ExampleText> {
  if (from.kind === 'text') return { text: from.text, files: [] };
  if (from.kind === 'example') return await readExample(world.examplesFolder, from.example);
  const steps = from.kind === 'steps' ? from.steps : [];
  return { text: composeFlow(flowOfSteps(from.name, steps, await catalogFor(steps, world))), files: [] };
}

/** Returns the node type catalog, including agents among the steps. */
async function catalogFor(
  steps: readonly { readonly type: string }[],
  { catalog, readAgentType }: CreateOptions,
): Promise<NodeTypeCatalog> {
  const agents = steps.map(({ type }) => type).filter(isAgentType);
  if (readAgentType === undefined || agents.length === 0) return catalog;
  const read = await Promise.all(agents.map(async (type) => [type, await readAgentType(type)] as const));
  return withAgentTypes(catalog, new Map(read));
}

async function createPack(
  workspace: string,
  { ref, version }: Parameters<FileCreation['createPack']>[0],
): ReturnType<FileCreation['createPack']> {
  if (version !== undefined && !isPackVersion(version)) {
    throw new EngineError({
      code: 'pack.bad-version',
      message: `${JSON.stringify(version)} is not a pack version. Write it like 0.1.0 or 1.2.3-beta.1.`,
    });
  }
  const [namespace = '', name = '', ...more] = ref.split('@');
  const files = newPackFiles(namespace, [name, ...more].join('@'), version);
  const folder = `.aipack/pack/custom/${namespace}/${name}`;
  // Created first, so that two packs with the same name cannot be mixed.
  await createEntry(workspace, { path: folder, kind: 'folder' });
  for (const { path, text } of files) await createEntry(workspace, { path: `${folder}/${path}`, kind: 'file', text });
  return { path: folder, files: files.map(({ path }) => `${folder}/${path}`) };
}

/**
 * Returns the path of a file that an example uses. A called flow is in the folder of its caller; all others have a
 * fixed path in the workspace.
 */
function placeOf(file: string, flow: string): string {
  return file.endsWith(ending) ? posix.join(posix.dirname(flow), file) : file;
}

function refuseEnding(path: string, pattern: RegExp, ending: string): void {
  if (pattern.test(path)) return;
  throw new EngineError({
    code: 'files.bad-name',
    message: `${JSON.stringify(path)} must end in ${ending}, with a name before it.`,
  });
}

const ending = '.flow.yaml';
/** The name of the scripted model is followed by the file with its responses. */
const scripted = 'scripted::';

/** An example's text, and the files that it uses, relative to the workspace with `/`. */
interface ExampleText {
  readonly text: string;
  readonly files: readonly { readonly path: string; readonly content: Uint8Array }[];
}

/**
 * Returns the examples in a folder, sorted by title.
 * @param folder absolute
 * @throws the system's error
 */
async function listExampleFlows(folder: string): Promise<readonly ExampleFlow[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending));
  const examples = await Promise.all(
    names.map(async (name): Promise<ExampleFlow> => {
      const { doc } = parseFlow(await readFile(join(folder, name), 'utf8'));
      const id = name.slice(0, -ending.length);
      return { id, title: doc?.flow.name ?? id, description: doc?.flow.description ?? '' };
    }),
  );
  return examples.sort((left, right) => (left.title < right.title ? -1 : 1));
}

/** @param folder absolute; undefined if there are no examples @throws EngineError `example.not-found` */
async function readExample(folder: string | undefined, id: string): Promise<ExampleText> {
  const known = folder === undefined ? [] : await listExampleFlows(folder);
  if (folder === undefined || !known.some((example) => example.id === id)) {
    throw new EngineError({
      code: 'example.not-found',
      message: `Example ${JSON.stringify(id)} does not exist. Choose one of: ${known.map((one) => one.id).join(', ') || 'none'}.`,
    });
  }
  const text = await readFile(join(folder, `${id}${ending}`), 'utf8');
  const { doc } = parseFlow(text);
  return { text, files: doc === null ? [] : await filesOf(doc, folder) };
}

/** Returns the files next to a flow that it references: all text values that are paths or globs of existing files. */
async function filesOf({ flow, nodes }: FlowDoc, folder: string): Promise<ExampleText['files']> {
  const texts = [flow.input ?? {}, ...nodes.flatMap(({ input, config = {} }): JsonMap[] => [input, config])].flatMap(
    textsIn,
  );
  const agents = nodes.map(({ type }) => type).filter((type) => type.startsWith('./') && isAgentType(type));
  const tools = nodes.flatMap(({ config = {} }) => textsIn([config['tool'] ?? null, config['tools'] ?? null]));
  const manifests = tools.map((tool) => `tools/${tool}.tool.yaml`);
  const paths = [...texts, ...manifests, ...agents.map((type) => type.slice('./'.length))]
    .map((text) => (text.startsWith(scripted) ? text.slice(scripted.length) : text))
    .filter((text) => /^[\w*-][\w./*-]*\.\w+$/.test(text) && !text.includes('..'));
  const found = await findByGlobs(folder, paths, { holder: systemHolder, signal: new AbortController().signal });
  return await Promise.all(
    found.map(async ({ shown, real }) => ({ path: shown, content: new Uint8Array(await readFile(real)) })),
  );
}

function textsIn(value: JsonValue): readonly string[] {
  if (typeof value === 'string') return [value];
  if (isJsonList(value)) return value.flatMap(textsIn);
  return isJsonMap(value) ? Object.values(value).flatMap(textsIn) : [];
}
