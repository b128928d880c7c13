/**
 * Reads which packs a workspace needs, from the `[packs]` section in its settings and from the agents named by its
 * flows' nodes.
 */

import { join } from 'node:path';
import semver from 'semver';
import { EngineError } from '../../base/engine-error.ts';
import { MAX_FLOW_TEXT_LENGTH } from '../../language/flow/flow-limits.ts';
import { parseFlow } from '../../language/flow/parse-flow.ts';
import { readToml } from '../../language/yaml/toml-source.ts';
import { readFlowText } from '../../world/files/read-flow.ts';
import { readTextFile } from '../../world/files/read-text.ts';
import { walkTree } from '../../world/files/walk-files.ts';
import { identityOf, looksLikePackRef, parsePackRef } from './pack-ref.ts';

/** A pack that a workspace needs. */
export interface DeclaredPack {
  /** Reference of the pack, as `namespace@name`. */
  readonly ref: string;
  /** Accepted versions as an npm range; `*` for any. */
  readonly range: string;
  /** File that declares the pack, relative to the workspace with forward slashes. */
  readonly where: string;
}

const settingsFile = '.aipack/config.toml';
const maxSettingsBytes = 1024 * 1024;

/**
 * Reads the declarations of a workspace. Packs that scripts name at run time cannot be detected; they belong in
 * `[packs]`.
 * @param workspace absolute
 * @throws EngineError `pack.bad-declaration`
 */
export async function readDeclaredPacks(workspace: string): Promise<readonly DeclaredPack[]> {
  return [...(await inSettings(workspace)), ...(await inFlows(workspace))];
}

async function inSettings(workspace: string): Promise<readonly DeclaredPack[]> {
  const packs = (await settingsOf(workspace))['packs'] ?? {};
  if (typeof packs !== 'object' || Array.isArray(packs)) throw badDeclaration('[packs] must be a table');
  return Object.entries(packs).map(([name, range]) => {
    if (refOf(name) !== name) throw badDeclaration(`[packs] ${JSON.stringify(name)} is not a pack name`);
    if (typeof range !== 'string' || semver.validRange(range) === null) {
      throw badDeclaration(`[packs] ${name} must be a range of versions, such as "^1.2.0" or "*"`);
    }
    return { ref: name, range, where: settingsFile };
  });
}

async function settingsOf(workspace: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const file = join(workspace, settingsFile);
    const read = readToml(await readTextFile(file, { maxBytes: maxSettingsBytes, shownPath: settingsFile }));
    if ('table' in read) return read.table;
    const { line, reason } = read.problem;
    throw badDeclaration(`it is not valid TOML (line ${line}): ${reason}`);
  } catch (error) {
    if (EngineError.is(error) && error.code === 'files.not-found') return {};
    throw error;
  }
}

/** Skips symbolic links, because their targets may be outside the workspace. */
async function inFlows(workspace: string): Promise<readonly DeclaredPack[]> {
  const found = await walkTree(workspace, { maxDepth: Number.POSITIVE_INFINITY });
  const flows = found.filter(({ path, isLink }) => !isLink && /\.flow\.ya?ml$/.test(path)).map(({ path }) => path);
  const packs: DeclaredPack[] = [];
  for (const path of flows.sort()) {
    const text = await readFlowText(join(workspace, path), { shownPath: path, maxLength: MAX_FLOW_TEXT_LENGTH });
    if (!text.includes('@')) continue;
    const named = (parseFlow(text).doc?.nodes ?? [])
      .filter(({ type }) => type === 'agent')
      .flatMap(({ input }) => refOf(input?.['agent']) ?? []);
    packs.push(...[...new Set(named)].map((ref) => ({ ref, range: '*', where: path })));
  }
  return packs;
}

/** Returns `namespace@name` of a pack reference; undefined for a path, a binding, or any other value. */
function refOf(agent: unknown): string | undefined {
  if (typeof agent !== 'string' || !looksLikePackRef(agent) || agent.includes('{{')) return undefined;
  try {
    return identityOf(parsePackRef(agent));
  } catch {
    return undefined;
  }
}

function badDeclaration(problem: string): EngineError {
  return new EngineError({ code: 'pack.bad-declaration', message: `${settingsFile} of the workspace: ${problem}.` });
}
