/**
 * Implements `new`.
 */
import path from 'node:path';
import { newAgentText, newFlowText, newPackFiles, writeNewFiles } from '../../packs/pack/new-files.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { printEach } from './with-packs.ts';

export type CliNewFileKind = 'agent' | 'pack' | 'flow';

/**
 * Writes starter files: an agent or a flow in the current folder, or a pack in the workspace.
 * @param name with or without the extension; for a pack `namespace@name`, or a name in the namespace `my`
 * @throws EngineError `files.exists` | `pack.bad-ref` | `cli.usage`
 */
export async function writeNew(
  context: CliContext,
  { kind, name }: { readonly kind: CliNewFileKind; readonly name: string },
  options: GlobalOptions,
): Promise<void> {
  const { folder, files, run } = kind === 'pack' ? packOf(context, name, options) : fileOf(context, kind, name);
  const written = await writeNewFiles(folder, files);
  const listedIn = kind === 'flow' ? await listedFlow(context, written, options) : undefined;
  const shown = written.map((file) => path.relative(context.folder, file));
  const listed = listedIn === undefined ? [] : [`Added it to the flows of ${listedIn}`];
  printEach(context, options, {
    values: [{ kind, files: written, ...(listedIn === undefined ? {} : { listedIn }), run }],
    lineOf: () => [...shown.map((file) => `Wrote ${file}`), ...listed, `To run it: ${run}`].join('\n'),
  });
}

/** Adds a new flow to the manifest of its product, which would otherwise ignore it. */
async function listedFlow(context: CliContext, [file = '']: readonly string[], options: GlobalOptions) {
  const workspace = resolveWorkspace(context, options);
  const { listFlow } = await import('../../packs/product/list-flow.ts');
  return await listFlow(workspace, path.relative(workspace, file).split(path.sep).join('/'));
}

function packOf(context: CliContext, name: string, options: GlobalOptions) {
  const [first = '', second, ...more] = name.split('@');
  if (more.length > 0) throw usageError(`${name} is not a pack name. Use NAMESPACE@NAME.`);
  const [namespace, own] = second === undefined ? ['my', first] : [first, second];
  const files = newPackFiles(namespace, own);
  const folder = path.join(resolveWorkspace(context, options), '.aipack', 'pack', 'custom', namespace, own);
  return { folder, files, run: `millrace run ${namespace}@${own} -i "some text"` };
}

const endings = { agent: '.aip', flow: '.flow.yaml' } as const;

function fileOf({ folder }: CliContext, kind: 'agent' | 'flow', name: string) {
  const ending = endings[kind];
  const bare = name.endsWith(ending) ? name.slice(0, -ending.length) : name;
  const title = path.basename(bare);
  if (title === '' || /[/\\]$/.test(bare)) throw usageError(`${name} is not a file name.`);
  const file = path.resolve(folder, `${bare}${ending}`);
  const text = kind === 'agent' ? newAgentText(title) : newFlowText(title);
  const run = `millrace run ${bare}${ending}${kind === 'agent' ? ' -i "some text"' : ''}`;
  return { folder: path.dirname(file), files: [{ path: path.basename(file), text }], run };
}
