/**
 * New flows, agents and packs. What is written here is right from the first byte: it passes the check and can be run.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { systemCodeOf, toWriteError } from '../files/file-error.ts';
import { systemHolder } from '../files/folder-holder.ts';
import { findByGlobs } from '../files/glob-files.ts';
import { createEntry } from '../files/place-files.ts';
import { refuseProtected, resolveInWorkspace } from '../files/workspace-path.ts';
import { isAgentType } from '../flowspec/agent-type-name.ts';
import { composeFlow } from '../flowspec/compose-flow.ts';
import { withAgentTypes } from '../flowspec/data-type.ts';
import type { FlowDoc } from '../flowspec/flow-doc.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../flowspec/json-value.ts';
import type { NodeTypeCatalog } from '../flowspec/node-type-spec.ts';
import { parseFlow } from '../flowspec/parse-flow.ts';
import type { SchemaFile } from '../flowspec/schema-files.ts';
import { flowOfSteps } from '../nodes/flow-of-steps.ts';
import { newAgentText, newPackFiles } from '../pack/new-files.ts';
import { isPackVersion } from '../pack/pack-version.ts';
import { listFlow } from '../product/list-flow.ts';

/** What a new flow begins with. */
export type FlowOrigin =
  | { readonly kind: 'empty'; readonly name: string }
  | { readonly kind: 'example'; readonly example: string }
  | { readonly kind: 'steps'; readonly name: string; readonly steps: readonly FlowStep[] }
  | { readonly kind: 'text'; readonly text: string };

/** A node of a chain. */
export interface FlowStep {
  /** A node type, such as `prompt`. */
  readonly type: string;
  /** Absent = one is made of the type. */
  readonly id?: string;
  /** What it asks, of a node that asks a model; absent = the default. */
  readonly model?: string;
}

/** A flow that comes with the program. */
export interface ExampleFlow {
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/** What a host may ask for that is new. */
export interface FileCreation {
  /**
   * Writes a new flow, `PATH.flow.yaml`; from a text any `PATH.yaml`. One from an example brings the files along that it works on,
   * where there are none (`files`). Where the manifest of a product lists its flows, a new one of it is added there (`listedIn`).
   * @throws EngineError `files.exists` | `files.bad-name` | `example.not-found` | `node.unknown-type` | `node.bad-id`;
   *   `product.not-listed` when it was written and could not be added to the manifest
   */
  createFlow(request: {
    readonly path: string;
    readonly from: FlowOrigin;
  }): Promise<{ readonly path: string; readonly files: readonly string[]; readonly listedIn?: string }>;
  /** Writes a new agent, `PATH.aip`. @throws EngineError `files.exists` | `files.bad-name` */
  createAgent(request: { readonly path: string; readonly name: string }): Promise<{ readonly path: string }>;
  /**
   * Writes a new pack among those of the workspace; gives its folder and files.
   * @throws EngineError `files.exists` | `pack.bad-ref` | `pack.bad-version`
   */
  createPack(request: {
    readonly ref: string;
    readonly version?: string;
  }): Promise<{ readonly path: string; readonly files: readonly string[] }>;
  /** Flows to begin with, in the order of their names. */
  listExamples(): Promise<readonly ExampleFlow[]>;
}

export interface CreateOptions {
  /** Absolute. */
  readonly workspace: string;
  readonly catalog: NodeTypeCatalog;
  /** Reads an agent that is to be the type of a node; absent = there are none. */
  readonly readAgentType?: (type: string) => Promise<SchemaFile>;
  /** Absolute; without it the program has no examples. */
  readonly examplesFolder?: string;
}

/** Makes the part of an engine that writes new things. */
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

async function beginningOf(from: FlowOrigin, world: CreateOptions): Promise<ExampleText> {
  if (from.kind === 'text') return { text: from.text, files: [] };
  if (from.kind === 'example') return await readExample(world.examplesFolder, from.example);
  const steps = from.kind === 'steps' ? from.steps : [];
  return { text: composeFlow(flowOfSteps(from.name, steps, await catalogFor(steps, world))), files: [] };
}

/** The types that there are, with the agents among the steps. */
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
      message: `${JSON.stringify(version)} is no version of a pack. Write it like 0.1.0 or 1.2.3-beta.1.`,
    });
  }
  const [namespace = '', name = '', ...more] = ref.split('@');
  const files = newPackFiles(namespace, [name, ...more].join('@'), version);
  const folder = `.aipack/pack/custom/${namespace}/${name}`;
  // Taken first: two packs of one name cannot mix.
  await createEntry(workspace, { path: folder, kind: 'folder' });
  for (const { path, text } of files) await createEntry(workspace, { path: `${folder}/${path}`, kind: 'file', text });
  return { path: folder, files: files.map(({ path }) => `${folder}/${path}`) };
}

/** A flow that is called lies beside the one that calls it; everything else that a flow names has its place in the workspace. */
function placeOf(file: string, flow: string): string {
  return file.endsWith(ending) ? posix.join(posix.dirname(flow), file) : file;
}

/** @returns whether it was written: what lies there already is the person's own */
async function addIfMissing(workspace: string, { path, content }: ExampleText['files'][number]): Promise<boolean> {
  const file = await resolveInWorkspace(workspace, path);
  refuseProtected(file);
  try {
    await mkdir(dirname(file.real), { recursive: true });
    await writeFile(file.real, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw toWriteError(error, file.shown);
  }
}

function refuseEnding(path: string, pattern: RegExp, ending: string): void {
  if (pattern.test(path)) return;
  throw new EngineError({
    code: 'files.bad-name',
    message: `${JSON.stringify(path)} must end in ${ending}, with a name before it.`,
  });
}

const ending = '.flow.yaml';
/** The scripted model's name is followed by the file with its answers. */
const scripted = 'scripted::';

/** An example's text, and the files that it works on, relative to the workspace with `/`. */
interface ExampleText {
  readonly text: string;
  readonly files: readonly { readonly path: string; readonly content: Uint8Array }[];
}

/**
 * The examples of a folder, by their titles.
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

/** @param folder absolute; undefined = there are no examples @throws EngineError `example.not-found` */
async function readExample(folder: string | undefined, id: string): Promise<ExampleText> {
  const known = folder === undefined ? [] : await listExampleFlows(folder);
  if (folder === undefined || !known.some((example) => example.id === id)) {
    throw new EngineError({
      code: 'example.not-found',
      message: `There is no example ${JSON.stringify(id)}. Choose one of: ${known.map((one) => one.id).join(', ') || 'none'}.`,
    });
  }
  const text = await readFile(join(folder, `${id}${ending}`), 'utf8');
  const { doc } = parseFlow(text);
  return { text, files: doc === null ? [] : await filesOf(doc, folder) };
}

/** What a flow names that lies beside it: every text of it that is a path or a glob which leads to files. */
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
