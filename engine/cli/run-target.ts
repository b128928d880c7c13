/**
 * What `run` is asked to run: a file, or a name that stands for one.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
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
 * pack (`pack@agent`), a flow of a product (`product/flow`). The workspace of a file is the one around it.
 * @throws EngineError `cli.usage` for a name that fits two flows
 */
export function findRunTarget(context: CliContext, options: GlobalOptions, target: string): RunTarget {
  const file = path.resolve(context.folder, target);
  const agentFile = [file, `${file}.aip`, path.join(file, 'main.aip')].find(isAgentFile);
  if (agentFile !== undefined) {
    const workspace = resolveWorkspace(context, options, agentFile);
    return { kind: 'agent', agent: target, file: agentFile, workspace };
  }
  if (isFile(file)) return { kind: 'flow', shown: target, workspace: resolveWorkspace(context, options, file) };
  const workspace = resolveWorkspace(context, options);
  if (target.includes('@') || target.endsWith('.aip')) return { kind: 'agent', agent: target, workspace };
  const flow = productFlow(workspace, target);
  return { kind: 'flow', shown: flow === undefined ? target : path.relative(context.folder, flow), workspace };
}

/** `products/a/flows/b.*` of the workspace for `a/b`. */
function productFlow(workspace: string, target: string): string | undefined {
  const [, product, name] = /^([^/.][^/]*)\/([^/.][^/]*)$/.exec(target) ?? [];
  if (product === undefined) return undefined;
  const folder = path.join(workspace, 'products', product, 'flows');
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
  const files = isFolder ? readdirSync(folder).filter((file) => file.startsWith(`${name}.`)) : [];
  if (files.length > 1) {
    throw usageError(`${target} may be any of ${files.sort().join(', ')} in ${folder}. Give the path of one of them.`);
  }
  return files[0] === undefined ? undefined : path.join(folder, files[0]);
}

function isAgentFile(file: string): boolean {
  return file.endsWith('.aip') && isFile(file);
}

/** Also asked of a name below a file, which `statSync` alone would throw for. */
function isFile(file: string): boolean {
  return existsSync(file) && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
