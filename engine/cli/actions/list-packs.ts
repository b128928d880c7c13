/**
 * What `list` does.
 */
import { listPackViews } from '../../host/pack-views.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { oneLine } from '../progress/phrases.ts';
import { withPacks } from './with-packs.ts';

/**
 * Lists packs.
 * @param filter `namespace@`, `@name`, `namespace@name` or a part of either; undefined = all
 * @returns the exit code
 */
export async function listPacks(
  context: CliContext,
  filter: string | undefined,
  options: GlobalOptions,
): Promise<number> {
  return await withPacks(context, options, {
    use: async (call) => {
      const packs = await listPackViews(call, filter);
      const all = filter === undefined ? 'There are no packs.' : `There is no pack ${filter}.`;
      if (packs.length === 0) context.terminal.err(`${all} Install one with millrace install.`);
      return packs;
    },
    lineOf: (pack) => line(pack, context.terminal.colors),
  });
}

type PackView = Awaited<ReturnType<typeof listPackViews>>[number];

function line(pack: PackView, { bold, dim, red }: CliContext['terminal']['colors']): string {
  const { ref, version, origin, isBuiltIn, isShadowed, source, problem, agents, flows } = pack;
  const facts = [
    isBuiltIn ? 'came with the program' : origin === 'installed' ? installedFrom(source) : `own (${origin})`,
    ...counted(agents.length, 'agent'),
    ...counted(flows.length, 'flow'),
    ...(isShadowed ? ['not used: one of the same name comes first'] : []),
  ];
  const wrong = problem === undefined ? '' : `\n  ${red(oneLine(problem))}`;
  const name = version === '' ? bold(ref) : `${bold(ref)} ${version}`;
  return `${name}  ${dim(oneLine(facts.join(' · ')))}${wrong}`;
}

/** Not every installer has noted where a pack is from. */
function installedFrom(source: string | undefined): string {
  return source === undefined ? 'installed' : `installed from ${source}`;
}

function counted(count: number, what: string): readonly string[] {
  if (count === 0) return [];
  return [`${count} ${count === 1 ? what : `${what}s`}`];
}
