/**
 * Reads the schema files that flows and agents reference, and the agents that are their node types.
 */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { toErrorRecord } from '../../base/engine-error.ts';
import { isAgentType } from '../../language/flow/agent-type-name.ts';
import type { SchemaFile, SchemaFiles } from '../../language/flow/schema-files.ts';
import { readSchemaText } from '../../language/schema/schema-text.ts';
import { readTextFile } from '../../world/files/read-text.ts';
import { resolveInWorkspace } from '../../world/files/workspace-path.ts';

/** The definition that references the files. */
export interface SchemaOwner {
  /** Absolute path of the definition, which may not exist yet. */
  readonly file: string;
  /** Absolute path. */
  readonly workspace: string;
  /** Whether definitions outside the workspace may be read. */
  readonly mayLieOutside: boolean;
  /** Reads an agent that the definition uses as a node type; absent if agent types are not available. */
  readonly readAgentType?: ((type: string) => Promise<SchemaFile>) | undefined;
}

/** Maximum file size in bytes. The maximum size of a schema, which excludes whitespace, is lower. */
const maxBytes = 1024 * 1024;
const mostFiles = 200;

/**
 * Reads files by their names in a definition: relative to its folder, and inside the workspace or, for a definition
 * elsewhere, inside its pack or its folder. Never throws: errors are reported as problems of that file.
 */
export async function readSchemaFiles(names: readonly string[], owner: SchemaOwner): Promise<SchemaFiles> {
  const { readAgentType } = owner;
  const folder = dirname(owner.file);
  const root = rootOf(owner);
  const read = new Map<string, SchemaFile>();
  for (const [index, name] of names.entries()) {
    if (index >= mostFiles) read.set(name, tooMany(name));
    else if (readAgentType !== undefined && isAgentType(name)) read.set(name, await readAgentType(name));
    else read.set(name, await readSchemaFile(name, { folder, root }));
  }
  return read;
}

/** Returns the folder that must contain the files that a definition references. */
export function rootOf({ file, workspace, mayLieOutside }: SchemaOwner): string {
  return isInside(workspace, file) || !mayLieOutside ? workspace : packAround(dirname(file));
}

async function readSchemaFile(name: string, place: { folder: string; root: string }): Promise<SchemaFile> {
  if (isAbsolute(name) || /^[a-z]:|\\/i.test(name)) {
    return {
      problem: `${JSON.stringify(name)} is not a relative path with "/". Write the path of the schema file relative to the folder of this file.`,
    };
  }
  try {
    const { real } = await resolveInWorkspace(place.root, join(place.folder, name));
    return readSchemaText(await readTextFile(real, { maxBytes, shownPath: name }), name);
  } catch (error) {
    return { problem: troubleWith(name, error) };
  }
}

function troubleWith(name: string, error: unknown): string {
  const { code, message } = toErrorRecord(error);
  const shown = JSON.stringify(name);
  if (code === 'files.not-found')
    return `File ${shown} does not exist. The path is relative to the folder of this file.`;
  if (code === 'files.outside') {
    return `Schema file ${shown} was not read because it is outside the workspace or private. Keep it beside the files that use it.`;
  }
  return message;
}

/** Returns the folder of the pack that contains a folder, otherwise the folder itself. */
function packAround(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, 'pack.toml'))) return at;
    if (at === dirname(at)) return folder;
  }
}

function isInside(folder: string, file: string): boolean {
  const shown = relative(folder, resolve(file));
  return shown !== '..' && !shown.startsWith(`..${sep}`) && !isAbsolute(shown);
}

function tooMany(name: string): SchemaFile {
  return { problem: `${JSON.stringify(name)} was not read: a flow can refer to at most ${mostFiles} files.` };
}
