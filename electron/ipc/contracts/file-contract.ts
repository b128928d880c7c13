/**
 * Calls from a window to its engine host about workspace files, and about new flows, agents and packs. Part of
 * `engine-contract.ts`.
 */
import { z } from 'zod';
import { call, cancellableCall } from '../rpc.ts';

/**
 * A path that the engine checks itself: a file path, which is rejected if it is outside the workspace, or the path of
 * recorded runs.
 */
export const askedPath = z.string().min(1).max(4096);

export const readFlow = call([askedPath], z.object({ text: z.string(), loss: z.exactOptional(z.string()) }));

/** A path to write to, or to record and use again later. Its text must stay inside the workspace. */
export const workspacePath = askedPath.refine(staysInside, 'must be relative to the workspace and stay inside it');

/** Returns whether a path is relative on every system and does not leave the workspace through `..`. */
function staysInside(path: string): boolean {
  return !(/^(?:[\\/]|[a-z]:[\\/])/i.test(path) || path.includes('\0') || path.split(/[\\/]/).includes('..'));
}

const done = z.void();
const text = z.string().max(16 * 1024 * 1024);
const name = z.string().max(200);

const folderEntry = z.object({
  name: z.string(),
  path: z.string(),
  kind: z.enum(['file', 'folder']),
  change: z.enum(['modified', 'untracked']).nullable(),
  count: z.exactOptional(z.number()),
});

const flowOrigin = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('empty'), name }),
  z.strictObject({ kind: z.literal('text'), text }),
  z.strictObject({ kind: z.literal('example'), example: z.string().min(1).max(200) }),
  z.strictObject({
    kind: z.literal('steps'),
    name,
    steps: z
      .array(
        z.strictObject({
          type: z.string().min(1).max(200),
          id: z.exactOptional(z.string().max(200)),
          model: z.exactOptional(z.string().min(1).max(500)),
        }),
      )
      .max(1000),
  }),
]);

const searchMatch = z.object({
  line: z.number(),
  column: z.number(),
  length: z.number(),
  text: z.string(),
  start: z.number(),
  end: z.number(),
});

const globs = z.string().max(1000);

const written = z.object({ path: z.string(), files: z.array(z.string()).readonly() });

const galleryId = z.string().min(1).max(100);

const galleryExample = z.object({
  id: z.string(),
  title: z.string(),
  use: z.enum(['support', 'sales', 'research', 'code', 'documents', 'data', 'operations']),
  shows: z.string(),
  opens: z.string(),
  nodes: z.exactOptional(z.number()),
  hasPicture: z.boolean(),
  isCopied: z.boolean(),
});

/** Longest source to import, in UTF-16 units: exports may contain recorded data, which is not imported. */
const longestSource = 32 * 1024 * 1024;

const importedFlow = z.object({
  name: z.string(),
  file: z.string(),
  text: z.string(),
  lines: z
    .array(
      z.object({
        name: z.string(),
        type: z.string(),
        status: z.enum(['mapped', 'partly', 'placeholder', 'missing']),
        became: z.string(),
        id: z.exactOptional(z.string()),
        lost: z.array(z.string()).readonly(),
      }),
    )
    .readonly(),
  remarks: z.array(z.string()).readonly(),
});

const searchRequest = z.strictObject({
  text: z.string().min(1).max(1000),
  isCaseSensitive: z.boolean(),
  isWholeWord: z.boolean(),
  isRegExp: z.boolean(),
  include: globs,
  exclude: globs,
  unsaved: z.array(z.strictObject({ path: workspacePath, text })).max(200),
});

const searchAnswer = z.object({
  files: z.array(z.object({ path: z.string(), matches: z.array(searchMatch).readonly() })).readonly(),
  end: z.enum(['all', 'matches', 'slow', 'time']),
  slowPath: z.string().nullable(),
  tooLarge: z.number(),
  isCut: z.boolean(),
});

export const fileContract = {
  /** `''` is the workspace itself. */
  listFolder: call(
    [z.union([z.literal(''), askedPath])],
    z.object({ entries: z.array(folderEntry).readonly(), isCut: z.boolean() }),
  ),
  findFiles: call([], z.object({ paths: z.array(z.string()).readonly(), isCut: z.boolean() })),
  countMatches: cancellableCall([z.string().min(1).max(1000)], z.object({ count: z.number() })),
  searchFiles: cancellableCall([searchRequest], searchAnswer),
  /** Null if git is missing or the workspace is not in a repository. */
  readGit: call([], z.object({ branch: z.string(), changed: z.number() }).nullable()),
  readFile: call([askedPath], z.object({ text: z.string(), isWritable: z.boolean() })),
  /** Returns a small picture as a `data:` URL. */
  readPicture: call([askedPath], z.object({ address: z.string() })),
  /** Fails with `files.changed` and `details: { text }` if the file does not contain `expected`. */
  writeFile: call(
    [z.strictObject({ path: workspacePath, text, expected: z.exactOptional(z.string().nullable()) })],
    done,
  ),
  createFile: call(
    [z.strictObject({ path: workspacePath, kind: z.enum(['file', 'folder']), text: z.exactOptional(text) })],
    done,
  ),
  renameFile: call([z.strictObject({ from: workspacePath, to: workspacePath })], done),
  duplicateFile: call([workspacePath], z.object({ path: z.string() })),
  trashFile: call([workspacePath], done),

  importFlows: call([z.strictObject({ name, text: z.string().max(longestSource) })], z.array(importedFlow).readonly()),
  createFlow: call(
    [z.strictObject({ path: workspacePath, from: flowOrigin })],
    written.extend({ listedIn: z.exactOptional(z.string()) }),
  ),
  createAgent: call([z.strictObject({ path: workspacePath, name })], z.object({ path: z.string() })),
  createPack: call(
    [z.strictObject({ ref: z.string().min(1).max(200), version: z.exactOptional(z.string().max(100)) })],
    written,
  ),
  listGallery: call(
    [],
    z.object({
      examples: z.array(galleryExample).readonly(),
      problems: z.array(z.object({ id: z.string(), message: z.string() })).readonly(),
    }),
  ),
  /** Returns a picture as a `data:` URL. */
  readGalleryPicture: call(
    [z.strictObject({ id: galleryId, theme: z.enum(['light', 'dark']) })],
    z.object({ address: z.string().nullable() }),
  ),
  copyGalleryExample: call([galleryId], written),
  listExamples: call([], z.array(z.object({ id: z.string(), title: z.string(), description: z.string() })).readonly()),
} as const;
