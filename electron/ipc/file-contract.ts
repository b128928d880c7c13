/**
 * Calls from a window to its engine host about files of the workspace, and about new flows, agents and packs; part of
 * `engine-contract.ts`.
 */
import { z } from 'zod';
import { askedPath, workspacePath } from './path-schemas.ts';

const done = z.object({});
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
  z.strictObject({ kind: z.literal('example'), example: z.string().min(1).max(200) }),
  z.strictObject({
    kind: z.literal('steps'),
    name,
    steps: z
      .array(z.strictObject({ type: z.string().min(1).max(200), id: z.exactOptional(z.string().max(200)) }))
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

export const fileContract = {
  /** `folder: ''` is the workspace itself. */
  'file.list': {
    params: z.strictObject({ folder: z.union([z.literal(''), askedPath]) }),
    result: z.object({ entries: z.array(folderEntry).readonly(), isCut: z.boolean() }),
  },
  'file.find': {
    params: z.strictObject({}),
    result: z.object({ paths: z.array(z.string()).readonly(), isCut: z.boolean() }),
  },
  /** A window has one search at a time: the next one ends it (`files.search-ended`). */
  'file.search': {
    params: z.strictObject({
      text: z.string().min(1).max(1000),
      isCaseSensitive: z.boolean(),
      isWholeWord: z.boolean(),
      isRegExp: z.boolean(),
      include: globs,
      exclude: globs,
      unsaved: z.array(z.strictObject({ path: workspacePath, text })).max(200),
    }),
    result: z.object({
      files: z.array(z.object({ path: z.string(), matches: z.array(searchMatch).readonly() })).readonly(),
      end: z.enum(['all', 'matches', 'slow', 'time']),
      slowPath: z.string().nullable(),
      tooLarge: z.number(),
      isCut: z.boolean(),
    }),
  },
  /** Ends the search that is under way, if one is. */
  'file.endSearch': { params: z.strictObject({}), result: done },
  /** Null without git or a repository. */
  'file.git': {
    params: z.strictObject({}),
    result: z.object({ git: z.object({ branch: z.string(), changed: z.number() }).nullable() }),
  },
  'file.read': {
    params: z.strictObject({ path: askedPath }),
    result: z.object({ text: z.string(), isWritable: z.boolean() }),
  },
  /** Fails with `files.changed` and `details: { text }` when something else than `expected` stands there. */
  'file.write': {
    params: z.strictObject({ path: workspacePath, text, expected: z.exactOptional(z.string().nullable()) }),
    result: done,
  },
  'file.create': {
    params: z.strictObject({ path: workspacePath, kind: z.enum(['file', 'folder']), text: z.exactOptional(text) }),
    result: done,
  },
  'file.rename': { params: z.strictObject({ from: workspacePath, to: workspacePath }), result: done },
  'file.duplicate': { params: z.strictObject({ path: workspacePath }), result: z.object({ path: z.string() }) },
  'file.trash': { params: z.strictObject({ path: workspacePath }), result: done },

  'create.flow': { params: z.strictObject({ path: workspacePath, from: flowOrigin }), result: written },
  'create.agent': { params: z.strictObject({ path: workspacePath, name }), result: z.object({ path: z.string() }) },
  'create.pack': {
    params: z.strictObject({ ref: z.string().min(1).max(200), version: z.exactOptional(z.string().max(100)) }),
    result: written,
  },
  'create.examples': {
    params: z.strictObject({}),
    result: z.object({
      examples: z.array(z.object({ id: z.string(), title: z.string(), description: z.string() })).readonly(),
    }),
  },
} as const;
