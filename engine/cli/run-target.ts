/**
 * Resolves the target of `run`: a file, or a name that refers to one.
 */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type CliContext, type GlobalOptions, resolveWorkspace } from './cli-context.ts';
import { usageError } from './exit-code.ts';

/** A flow file, or an agent. `workspace` is absolute. */
export type RunTarget =
  | {
      readonly kind: 'flow';
      /** Path for messages, relative to the current folder. The file need not exist. */
      readonly shown: string;
      readonly workspace: string;
    }
  | {
      readonly kind: 'agent';
      /** The target as typed. */
      readonly agent: string;
      /** Absolute path; undefined for a pack agent or a missing agent. */
      readonly file?: string;
      readonly workspace: string;
    };

/**
 * Resolves a target to the first match: an existing file, an agent file without its extension, a pack agent
 * (`pack@agent`), or a product flow (`product/flow`, or `product` for the default flow in its manifest). A file's
 * workspace is the one that contains it.
 * @throws EngineError `cli.usage` for a product that is invalid or does not have that flow
 */
export async function findRunTarget(context: CliContext, options: GlobalOptions, target: string): Promise<RunTarget> {
  const file = path.resolve(context.folder, target);
  const agentFile = [file, `${file}.aip`, path.join(file, 'main.aip')].find(isAgentFile);
  if (agentFile !== undefined) {
    const workspace = resolveWorkspace(context, options, agentFile);
    return { kind: 'agent', agent: target, file: agentFile, workspace };
  }
  if (isFile(file)) return { kind: 'flow', shown: target, workspace: resolveWorkspace(context, options, file) };
  const workspace = resolveWorkspace(context, options);
  if (target.includes('@') || target.endsWith('.aip')) return { kind: 'agent', agent: target, workspace };
  const flow = await productFlow(workspace, target);
  return { kind: 'flow', shown: flow === undefined ? target : path.relative(context.folder, flow), workspace };
}

/** Returns the absolute path of `product/flow`; undefined if the product does not exist. */
async function productFlow(workspace: string, target: string): Promise<string | undefined> {
  const [, name, flow] = /^([^/.][^/]*)(?:\/([^/.][^/]*))?$/.exec(target) ?? [];
  if (name === undefined) return undefined;
  // Loaded on demand, because most targets are files.
  const [{ findProduct, findProducts }, { flowToRun }] = await Promise.all([
    import('../packs/product/find-products.ts'),
    import('../packs/product/product.ts'),
  ]);
  const product = await findProduct(workspace, name);
  if (product === undefined) {
    const names = (await findProducts(workspace)).map((one) => one.name);
    // A name with a file extension refers to a file.
    if (flow === undefined || path.extname(flow) !== '' || names.length === 0) return undefined;
    throw usageError(`Neither a file ${target} nor a product ${name} exists. Available products: ${names.join(', ')}.`);
  }
  const found = flowToRun(product, flow);
  if ('problem' in found) throw usageError(found.problem);
  return path.join(workspace, found.path);
}

function isAgentFile(file: string): boolean {
  return file.endsWith('.aip') && isFile(file);
}

/** Handles names below a file, for which `statSync` would throw. */
function isFile(file: string): boolean {
  return existsSync(file) && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
