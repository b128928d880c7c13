/**
 * What `run` is asked to run: a file, or a name that stands for one.
 */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type CliContext, type GlobalOptions, resolveWorkspace } from './cli-context.ts';
import { usageError } from './exit-code.ts';

/** A flow file, or an agent. `workspace` is absolute. */
export type RunTarget =
  | {
      readonly kind: 'flow';
      /** The file, as messages name it; relative to where relative paths start. It need not exist. */
      readonly shown: string;
      readonly workspace: string;
    }
  | {
      readonly kind: 'agent';
      /** As it was typed. */
      readonly agent: string;
      /** Absolute; absent for an agent of a pack, and for one that is not there. */
      readonly file?: string;
      readonly workspace: string;
    };

/**
 * Finds what a target means; the first that fits: an existing file, an agent file without its ending, an agent of a
 * pack (`pack@agent`), a flow of a product (`product/flow`, or `product` for the one that its manifest calls the default). The workspace
 * of a file is the one around it.
 * @throws EngineError `cli.usage` for a product that cannot be used, or has no such flow
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

/** The file of `product/flow`, absolute; undefined where there is no such product. */
async function productFlow(workspace: string, target: string): Promise<string | undefined> {
  const [, name, flow] = /^([^/.][^/]*)(?:\/([^/.][^/]*))?$/.exec(target) ?? [];
  if (name === undefined) return undefined;
  // Loaded here, because most targets are files.
  const [{ findProduct, findProducts }, { flowToRun }] = await Promise.all([
    import('../product/find-products.ts'),
    import('../product/product.ts'),
  ]);
  const product = await findProduct(workspace, name);
  if (product === undefined) {
    const names = (await findProducts(workspace)).map((one) => one.name);
    // With an ending it is a file that was meant.
    if (flow === undefined || path.extname(flow) !== '' || names.length === 0) return undefined;
    throw usageError(`There is no file ${target}, and no product ${name}. The products here: ${names.join(', ')}.`);
  }
  const found = flowToRun(product, flow);
  if ('problem' in found) throw usageError(found.problem);
  return path.join(workspace, found.path);
}

function isAgentFile(file: string): boolean {
  return file.endsWith('.aip') && isFile(file);
}

/** Also asked of a name below a file, which `statSync` alone would throw for. */
function isFile(file: string): boolean {
  return existsSync(file) && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
