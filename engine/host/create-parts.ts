/**
 * New flows, agents and packs. What is written here is right from the first byte: it passes the check and can be run.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EngineError } from '../base/engine-error.ts';
import { systemCodeOf, toWriteError } from '../files/file-error.ts';
import { createEntry } from '../files/place-files.ts';
import { refuseProtected, resolveInWorkspace } from '../files/workspace-path.ts';
import { composeFlow } from '../flowspec/compose-flow.ts';
import type { NodeTypeCatalog } from '../flowspec/node-type-spec.ts';
import { flowOfSteps } from '../nodes/flow-of-steps.ts';
import { newAgentText, newPackFiles } from '../pack/new-files.ts';
import { isPackVersion } from '../pack/pack-version.ts';
import { type ExampleText, listExampleFlows, readExample } from './example-flows.ts';
import type { FileEngine, FlowOrigin } from './file-parts.ts';

export interface CreateWorld {
  /** Absolute. */
  readonly workspace: string;
  readonly catalog: NodeTypeCatalog;
  /** Absolute; without it the program has no examples. */
  readonly examplesFolder?: string;
}

type CreatePart = 'createFlow' | 'createAgent' | 'createPack' | 'listExamples';

/** Makes the part of an engine that writes new things. */
export function createCreateParts(world: CreateWorld): Pick<FileEngine, CreatePart> {
  const { workspace, examplesFolder } = world;
  return {
    async createFlow({ path, from }) {
      refuseEnding(path, /[^/]\.flow\.ya?ml$/, '.flow.yaml');
      const { text, files } = await beginningOf(from, world);
      await createEntry(workspace, { path, kind: 'file', text });
      const added: string[] = [];
      for (const file of files) if (await addIfMissing(workspace, file)) added.push(file.path);
      return { path, files: added };
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

async function beginningOf(from: FlowOrigin, { catalog, examplesFolder }: CreateWorld): Promise<ExampleText> {
  if (from.kind === 'example') return await readExample(examplesFolder, from.example);
  const steps = from.kind === 'steps' ? from.steps : [];
  return { text: composeFlow(flowOfSteps(from.name, steps, catalog)), files: [] };
}

async function createPack(
  workspace: string,
  { ref, version }: Parameters<FileEngine['createPack']>[0],
): ReturnType<FileEngine['createPack']> {
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
