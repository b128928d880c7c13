/**
 * The gallery: complete examples that come with the program. Each is a folder with an `about.yaml`, and is copied into
 * a workspace to be used.
 */
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { addIfMissing, createEntry } from '../../world/files/place-files.ts';
import { readPicture } from '../../world/files/read-picture.ts';
import { resolveInWorkspace } from '../../world/files/workspace-path.ts';

/** What examples are for, in display order. */
export const exampleUses = ['support', 'sales', 'research', 'code', 'documents', 'data', 'operations'] as const;
export type ExampleUse = (typeof exampleUses)[number];

/** An example of the gallery. */
export interface GalleryExample {
  /** Name of its folder, in the gallery and in the workspace. */
  readonly id: string;
  readonly title: string;
  readonly use: ExampleUse;
  /** One sentence: what the example shows. */
  readonly shows: string;
  /** The file to open, relative to the workspace. */
  readonly opens: string;
  /** Number of nodes, if that file is a flow. */
  readonly nodes?: number;
  /** Whether it has pictures. */
  readonly hasPicture: boolean;
  /** Whether the workspace has a folder of that name, so that the example can't be copied again. */
  readonly isCopied: boolean;
}

/** The readable examples, by use and title, and the reasons why others are left out. */
export interface Gallery {
  readonly examples: readonly GalleryExample[];
  readonly problems: readonly { readonly id: string; readonly message: string }[];
}

/** A file of a workspace, written or found. */
export interface CopiedExample {
  /** The file to open, relative to the workspace. */
  readonly path: string;
  /** The written files; empty if the workspace already had a copy. */
  readonly files: readonly string[];
}

/** Operations of a host that show and copy examples. */
export interface GalleryEngine {
  /** Lists the examples of the gallery. Empty if the program has none. */
  listGallery(): Promise<Gallery>;
  /**
   * Returns the picture of an example as a `data:` URL; null if it has none.
   * @throws EngineError `example.not-found`
   */
  readGalleryPicture(request: {
    readonly id: string;
    readonly theme: 'light' | 'dark';
  }): Promise<{ readonly address: string | null }>;
  /**
   * Copies an example to the folder of its id. Never replaces anything: a workspace that has a copy keeps it.
   * @throws EngineError `example.not-found` | `files.not-writable`; `files.exists` if the folder is not a copy
   */
  copyGalleryExample(id: string): Promise<CopiedExample>;
}

export interface GalleryOptions {
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /** Absolute path of the gallery; absent if there is none. */
  readonly galleryFolder?: string;
}

const aboutFile = 'about.yaml';
const idPattern = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const aboutSchema = z.strictObject({
  title: z.string().min(1).max(80),
  use: z.enum(exampleUses),
  shows: z.string().min(1).max(300),
  opens: z.string().min(1).max(200),
});

/** Creates the part of an engine that shows and copies examples. */
export function createGallery({ workspace, galleryFolder }: GalleryOptions): GalleryEngine {
  /** @throws EngineError `example.not-found` */
  const find = async (id: string): Promise<Example> => {
    const names = galleryFolder === undefined ? [] : await idsIn(galleryFolder);
    if (galleryFolder !== undefined && names.includes(id)) return await readExample(join(galleryFolder, id), id);
    const known = names.join(', ') || 'none';
    const message = `Example ${JSON.stringify(id)} does not exist. Choose one of: ${known}.`;
    throw new EngineError({ code: 'example.not-found', message });
  };
  return {
    listGallery: async () =>
      galleryFolder === undefined ? { examples: [], problems: [] } : await list(galleryFolder, workspace),
    async readGalleryPicture({ id, theme }) {
      const { folder, files } = await find(id);
      const name = pictureOf(theme);
      return files.includes(name) ? await readPicture(folder, name) : { address: null };
    },
    copyGalleryExample: async (id) => await copyExample(await find(id), workspace),
  };
}

/** An example that was read. */
interface Example extends z.output<typeof aboutSchema> {
  readonly id: string;
  /** Absolute path. */
  readonly folder: string;
  /** Its files, relative to its folder with `/`. */
  readonly files: readonly string[];
}

async function list(galleryFolder: string, workspace: string): Promise<Gallery> {
  const examples: GalleryExample[] = [];
  const problems: { id: string; message: string }[] = [];
  for (const id of await idsIn(galleryFolder)) {
    try {
      examples.push(await shownExample(await readExample(join(galleryFolder, id), id), workspace));
    } catch (error) {
      problems.push({ id, message: error instanceof Error ? error.message : String(error) });
    }
  }
  const rank = ({ use }: GalleryExample): number => exampleUses.indexOf(use);
  return { examples: examples.sort((a, b) => rank(a) - rank(b) || (a.title < b.title ? -1 : 1)), problems };
}

async function shownExample(example: Example, workspace: string): Promise<GalleryExample> {
  const { id, title, use, shows, opens, folder, files } = example;
  const { doc } = /\.flow\.ya?ml$/.test(opens) ? parseFlow(await readFile(join(folder, opens), 'utf8')) : { doc: null };
  return {
    ...{ id, title, use, shows, opens: `${id}/${opens}` },
    ...(doc === null ? {} : { nodes: doc.nodes.length }),
    hasPicture: files.includes(pictureOf('light')) && files.includes(pictureOf('dark')),
    isCopied: await exists(join(workspace, id)),
  };
}

/** Returns the names of the example folders in a gallery, sorted. Links and files are ignored. */
async function idsIn(galleryFolder: string): Promise<readonly string[]> {
  const entries = await readdir(galleryFolder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() && idPattern.test(entry.name) ? [entry.name] : [])).sort();
}

/** @throws EngineError `example.broken` */
async function readExample(folder: string, id: string): Promise<Example> {
  const files = await filesIn(folder);
  const broken = (reason: string): EngineError =>
    new EngineError({ code: 'example.broken', message: `Example ${id} cannot be used: ${reason}.` });
  if (!files.includes(aboutFile)) throw broken(`it has no ${aboutFile}`);
  const about = aboutSchema.safeParse(yamlOf(await readFile(join(folder, aboutFile), 'utf8')));
  if (!about.success) {
    const reasons = about.error.issues.map(({ path, message }) => [...path, message].join(': '));
    throw broken(`${aboutFile} is not valid (${reasons.join('; ')})`);
  }
  // Only files below the folder are listed, so this also rejects paths that lead elsewhere.
  const { opens } = about.data;
  if (!files.includes(opens)) throw broken(`it has no file ${JSON.stringify(opens)}, which ${aboutFile} names`);
  return { ...about.data, id, folder, files };
}

/** Returns undefined for text that is not YAML. */
function yamlOf(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the files below a folder with `/`, sorted, without symbolic links and the files that runs create. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name).slice(folder.length + 1)] : []))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !/^(?:out|\.millrace)\//.test(path))
    .sort();
}

function pictureOf(theme: 'light' | 'dark'): string {
  return `picture-${theme}.webp`;
}

/** Files about an example, which are not part of it. */
const ownFiles = new Set([aboutFile, pictureOf('light'), pictureOf('dark')]);

async function copyExample({ id, folder, files, opens }: Example, workspace: string): Promise<CopiedExample> {
  const path = `${id}/${opens}`;
  if (await exists(join(workspace, id))) {
    const { real } = await resolveInWorkspace(workspace, path);
    if (await exists(real)) return { path, files: [] };
    const message = `The workspace already has ${id}, without ${opens}. Rename or delete it to copy the example.`;
    throw new EngineError({ code: 'files.exists', message });
  }
  await createEntry(workspace, { path: id, kind: 'folder' });
  // The file to open comes last, so that a copy that has it is complete.
  const copied = [...files.filter((file) => !ownFiles.has(file) && file !== opens), opens];
  for (const file of copied) {
    await addIfMissing(workspace, { path: `${id}/${file}`, content: await readFile(join(folder, file)) });
  }
  return { path, files: copied.map((file) => `${id}/${file}`) };
}

async function exists(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}
