/**
 * Reads the flows that a flow calls.
 */
import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { callCircle, mostCallsDeep } from '../../language/flow/called-flows.ts';
import { type CheckedFlow, checkParsedFlow } from '../../language/flow/check-flow.ts';
import { MAX_FLOW_TEXT_LENGTH } from '../../language/flow/flow-limits.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { calledName, type SchemaFile, type SchemaFiles, schemaFilesOf } from '../../language/flow/schema-files.ts';
import type { NodeTypeCatalog } from '../../language/types/node-type-spec.ts';
import { supportFolders } from '../../packs/pack/pack-folders.ts';
import { findPack } from '../../packs/pack/pack-locator.ts';
import { looksLikePackRef, parsePackRef } from '../../packs/pack/pack-ref.ts';
import type { AgentLocation } from '../../runtime/kernel/capabilities/capabilities.ts';
import { readFlowText } from '../../world/files/read-flow.ts';
import { resolveInWorkspace, withSlashes } from '../../world/files/workspace-path.ts';
import { readSchemaFiles, rootOf, type SchemaOwner } from './schema-files.ts';

/** The calling flow, and data needed to read the flows that it calls. */
export interface CallingFile extends SchemaOwner {
  readonly baseFolder: string;
  readonly catalog: NodeTypeCatalog;
  /** Whether the workspace is trusted. If so, its packs may be symbolic links that point outside it. */
  readonly isTrusted?: boolean;
  /** Throws for an agent or flow of a pack that may not be used. */
  readonly admitPack?: (place: AgentLocation) => Promise<void>;
  /** Returns the text to use for a flow; undefined if its file counts. @param path relative to the workspace */
  readonly textOf?: (path: string) => string | undefined;
  /** Paths of the flows above the called one, root first; absent if the file is not called. */
  readonly above?: readonly string[];
}

/**
 * Maximum number of flows that a flow calls, directly and indirectly. Their texts are stored with the run, and each use
 * counts.
 */
const mostFlows = 200;
const mostText = 4 * 2 ** 20;

/**
 * Reads flows by their keys in a definition, each with the files that it references, and validates them. Never throws:
 * errors are reported as problems of that flow.
 */
export async function readCalledFlows(keys: readonly string[], owner: CallingFile): Promise<SchemaFiles> {
  const reading = new CalledFlowReader(owner);
  const above = await Promise.all((owner.above ?? [owner.file]).map((path) => realOf(resolve(owner.workspace, path))));
  return await reading.all(keys, {
    file: owner.file,
    above: above.map((real) => ({ real, shown: reading.shown(real) })),
  });
}

/** Reads the schema files that a definition references, and the flows that it calls. */
export async function readNamedFiles(names: readonly string[], owner: CallingFile): Promise<SchemaFiles> {
  const keys = names.filter((name) => calledName(name) !== undefined);
  const schemas = await readSchemaFiles(
    names.filter((name) => calledName(name) === undefined),
    owner,
  );
  return keys.length === 0 ? schemas : new Map([...schemas, ...(await readCalledFlows(keys, owner))]);
}

interface Ancestor {
  /** Path with all links resolved. */
  readonly real: string;
  readonly shown: string;
}

interface FlowWithAncestors {
  /** Absolute path. */
  readonly file: string;
  /** Root first, including itself. */
  readonly above: readonly Ancestor[];
}

interface FoundFlow {
  /** Absolute path as it was named. */
  readonly file: string;
  readonly real: string;
}

class CalledFlowReader {
  readonly #owner: CallingFile;
  #flowsLeft = mostFlows;
  #textLeft = mostText;

  constructor(owner: CallingFile) {
    this.#owner = owner;
  }

  /** Returns the path relative to the workspace, or the absolute path if it is outside. */
  shown(file: string): string {
    const path = relative(this.#owner.workspace, file);
    return path.startsWith(`..${sep}`) || path === '..' || isAbsolute(path) ? file : withSlashes(path);
  }

  async all(keys: readonly string[], caller: FlowWithAncestors): Promise<SchemaFiles> {
    const read = new Map<string, SchemaFile>();
    for (const key of keys) {
      const name = calledName(key) ?? '';
      const file = await this.#read(name, caller);
      if (file !== undefined) read.set(key, file);
    }
    return read;
  }

  /** Returns undefined for a name that is known only at run time, if flows may be called. */
  async #read(name: string, caller: FlowWithAncestors): Promise<SchemaFile | undefined> {
    if (/^products\/[^/]+\//.test(this.shown(caller.file))) return { problem: inProduct };
    if (name === '') return undefined;
    try {
      return await this.#readFound(name, await this.#find(name, caller), caller);
    } catch (error) {
      return { problem: troubleWith(name, error) };
    }
  }

  async #readFound(name: string, { file, real }: FoundFlow, { above }: FlowWithAncestors): Promise<SchemaFile> {
    const shown = this.shown(file);
    const at = above.findIndex((one) => one.real === real);
    if (at !== -1) return { problem: callCircle([...above.slice(at).map((one) => one.shown), shown]) };
    if (above.length > mostCallsDeep) return { problem: tooDeep(name) };
    this.#flowsLeft -= 1;
    if (this.#flowsLeft < 0) return { problem: tooMuch(name) };
    const own = this.#owner.textOf?.(shown);
    const text = own ?? (await readFlowText(real, { shownPath: shown, maxLength: MAX_FLOW_TEXT_LENGTH }));
    this.#textLeft -= text.length;
    if (this.#textLeft < 0) return { problem: tooMuch(name) };
    const { catalog } = this.#owner;
    const parsed = parseFlow(text);
    if (parsed.steps !== undefined) return { problem: aStepFlow(name) };
    const names = parsed.doc === null ? [] : schemaFilesOf(parsed.doc, catalog);
    const schemas = await readSchemaFiles(
      names.filter((one) => calledName(one) === undefined),
      { ...this.#owner, file },
    );
    const keys = names.filter((one) => calledName(one) !== undefined);
    const flows = await this.all(keys, { file, above: [...above, { real, shown }] });
    const files = new Map([...schemas, ...flows]);
    const problem = firstProblem(shown, checkParsedFlow(parsed, catalog, files));
    if (problem !== undefined) return { problem: `Flow "${name}" cannot be called. ${problem}` };
    return { flow: { path: shown, text, files: [...files] } };
  }

  async #find(name: string, { file }: FlowWithAncestors): Promise<FoundFlow> {
    if (looksLikePackRef(name)) return await this.#findInPack(name);
    if (isAbsolute(name) || /^[a-z]:|\\/i.test(name)) throw notRelative(name);
    if (name.endsWith('.aip')) throw anAgent(name);
    const found = join(dirname(file), name);
    const { real } = await resolveInWorkspace(rootOf({ ...this.#owner, file }), found);
    return { file: found, real };
  }

  async #findInPack(name: string): Promise<FoundFlow> {
    const { workspace, baseFolder, admitPack } = this.#owner;
    const folders = { workspace, baseFolder };
    const ref = parsePackRef(name);
    if (ref.scope !== null || ref.subPath === '') throw noPackFlow(name);
    if (ref.subPath.endsWith('.aip')) throw anAgent(name);
    const found = await findPack(name, folders);
    if (found.leadsOut === true && this.#owner.isTrusted !== true) throw packOutside(name);
    const { folder, namespace, name: packName } = found;
    const file = join(folder, ref.subPath);
    const { real } = await resolveInWorkspace(folder, file);
    const pack = { namespace, name: packName, folder, subPath: ref.subPath, ...supportFolders(folders, found) };
    await admitPack?.({ name, file, shownPath: name, pack });
    return { file: found.leadsOut === true ? real : file, real };
  }
}

async function realOf(file: string): Promise<string> {
  return await realpath(file).catch(() => file);
}

function firstProblem(shown: string, { flow, diagnostics }: CheckedFlow): string | undefined {
  if (flow !== null) return undefined;
  const first = diagnostics.find(({ severity }) => severity === 'error');
  return first === undefined ? undefined : `${shown}:${first.range.line}:${first.range.column}: ${first.message}`;
}

function troubleWith(name: string, error: unknown): string {
  const { code, message, details } = toErrorRecord(error);
  const shown = JSON.stringify(name);
  switch (code) {
    case 'files.not-found':
      return `Flow ${shown} does not exist. The path is relative to the folder of this file. Correct the path or restore the file.`;
    case 'files.outside':
      return `Flow ${shown} was not read because it is outside the workspace or private. Move it into the workspace folder, or trust the workspace if the path is a link.`;
    case 'pack.not-found': {
      const { ref = name } = (details ?? {}) as { readonly ref?: string };
      return `Flow ${shown} is part of pack ${ref}, which is not installed. Install it: millrace install ${ref}.`;
    }
    default:
      return `Flow ${shown} cannot be called. ${message}`;
  }
}

function tooDeep(name: string): string {
  return `Flow "${name}" would be nested more than ${mostCallsDeep} calls deep. Call it from a flow higher up.`;
}

function aStepFlow(name: string): string {
  return `Flow "${name}" is a step flow and cannot be called by other flows. Run it directly.`;
}

function tooMuch(name: string): string {
  return `Flow "${name}" was not read: a flow and the flows it calls are limited to ${mostFlows} files and ${mostText / 2 ** 20} MiB in total.`;
}

const inProduct =
  'Flows of a product cannot call other flows, so nodes of type "flow" are not allowed here. Move its nodes into this flow, or have the program that uses the product start the flows one after the other.';

function packOutside(name: string): EngineError {
  return new EngineError({
    code: 'flow.pack-outside',
    message: `Its pack is a link to a folder outside the workspace. Copy the pack of ${JSON.stringify(name)} into the workspace, or trust the workspace.`,
  });
}

function notRelative(name: string): EngineError {
  return new EngineError({
    code: 'flow.bad-path',
    message: `${JSON.stringify(name)} is not a relative path with "/". Write the path of the flow relative to the folder of this file.`,
  });
}

function anAgent(name: string): EngineError {
  return new EngineError({
    code: 'flow.bad-path',
    message: `${JSON.stringify(name)} is an agent: run it with a node of type "agent".`,
  });
}

function noPackFlow(name: string): EngineError {
  return new EngineError({
    code: 'flow.bad-path',
    message: `${JSON.stringify(name)} is not a flow of a pack. Write namespace@pack/name.flow.yaml.`,
  });
}
