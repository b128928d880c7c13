/**
 * Reads the schema files that flows and agents name, and the agents that are types of their nodes.
 */
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { toErrorRecord } from '../base/engine-error.ts';
import { readTextFile } from '../files/read-text.ts';
import { resolveInWorkspace } from '../files/workspace-path.ts';
import { isAgentType } from '../flowspec/agent-type-name.ts';
import type { SchemaFile, SchemaFiles } from '../flowspec/schema-files.ts';
import { readSchemaText } from '../schema/schema-text.ts';

/** Which definition names them. */
export interface SchemaOwner {
  /** The file of the definition, absolute; it need not exist yet. */
  readonly file: string;
  /** Absolute. */
  readonly workspace: string;
  /** Definitions elsewhere than in the workspace may be read. */
  readonly mayLieOutside: boolean;
  /** Reads an agent that the definition names as the type of a node; absent where no name means one. */
  readonly readAgentType?: ((type: string) => Promise<SchemaFile>) | undefined;
}

/** A schema is smaller; blanks between its parts are not counted there. */
const maxBytes = 1024 * 1024;
const mostFiles = 200;

/**
 * Reads files by their names in a definition: relative to its folder, and inside of the workspace, or for a definition
 * elsewhere, of its pack or its folder. What cannot be read is a problem of that file; nothing is thrown.
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

/** The folder that what a definition names must lie in. */
export function rootOf({ file, workspace, mayLieOutside }: SchemaOwner): string {
  return isInside(workspace, file) || !mayLieOutside ? workspace : packAround(dirname(file));
}

async function readSchemaFile(name: string, place: { folder: string; root: string }): Promise<SchemaFile> {
  if (isAbsolute(name) || /^[a-z]:|\\/i.test(name)) {
    return {
      problem: `${JSON.stringify(name)} is no relative path with "/". Name the schema's file from the folder of this file on.`,
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
  if (code === 'files.not-found') return `There is no file ${shown}. Its path starts in the folder of this file.`;
  if (code === 'files.outside') {
    return `The schema file ${shown} is not read: it leads out of the workspace, or to what is private there. Keep it beside the files that use it.`;
  }
  return message;
}

/** The folder of the pack that a folder belongs to, else itself. */
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
  return { problem: `${JSON.stringify(name)} was not read: a flow names at most ${mostFiles} files.` };
}
