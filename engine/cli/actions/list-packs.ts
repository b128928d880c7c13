/**
 * Implements `list`.
 */
import { listPackViews } from '../../packs/pack-views.ts';
import { findProducts } from '../../packs/product/find-products.ts';
import { type Product, textOf } from '../../packs/product/product.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { oneLine } from '../progress/phrases.ts';
import { withPacks } from './with-packs.ts';

/**
 * Lists packs, then products.
 * @param filter `namespace@`, `@name`, `namespace@name` or a part of either, or of the name of a product; undefined for
 * all
 * @returns the exit code
 */
export async function listPacks(
  context: CliContext,
  filter: string | undefined,
  options: GlobalOptions,
): Promise<number> {
  const { colors } = context.terminal;
  return await withPacks<PackView | ProductView>(context, options, {
    use: async (call) => {
      const [packs, products] = await Promise.all([listPackViews(call, filter), productsOf(call.workspace, filter)]);
      const all = filter === undefined ? 'No packs found.' : `No pack matches ${filter}.`;
      if (packs.length + products.length === 0) context.terminal.err(`${all} Install one with millrace install.`);
      return [...packs, ...products];
    },
    lineOf: (one) => ('product' in one ? productLine(one, colors) : line(one, colors)),
  });
}

/** A product as it is printed. */
interface ProductView extends Omit<Product, 'name' | 'unlisted' | 'refusal'> {
  readonly product: string;
}

async function productsOf(workspace: string, filter = ''): Promise<readonly ProductView[]> {
  const products = await findProducts(workspace);
  return products
    .filter(({ name }) => name.includes(filter))
    .map(({ name, unlisted: _, refusal: _refusal, ...rest }) => ({ product: name, ...rest }));
}

function productLine(
  { product, version, flows, agents, problems, defaultFlow }: ProductView,
  colors: PackListColors,
): string {
  const { bold, dim, red } = colors;
  const facts = ['product', ...counted(flows.length, 'flow'), ...counted(agents.length, 'agent')];
  const name = version === undefined ? bold(product) : `${bold(product)} ${oneLine(version)}`;
  const runs = flows.map((flow) => {
    const isDefault = flow.name === defaultFlow ? dim(' (default)') : '';
    return `\n  ${product}/${flow.name}${isDefault}`;
  });
  const wrong = problems.map((problem) => {
    const said = oneLine(textOf(problem));
    return `\n  ${problem.severity === 'error' ? red(said) : dim(said)}`;
  });
  return [name, '  ', dim(facts.join(' · ')), ...runs, ...wrong].join('');
}

type PackListColors = CliContext['terminal']['colors'];

type PackView = Awaited<ReturnType<typeof listPackViews>>[number];

function line(pack: PackView, { bold, dim, red }: PackListColors): string {
  const { ref, version, origin, isBuiltIn, isShadowed, source, problem, agents, flows } = pack;
  const facts = [
    isBuiltIn ? 'bundled with the program' : origin === 'installed' ? installedFrom(source) : `own (${origin})`,
    ...counted(agents.length, 'agent'),
    ...counted(flows.length, 'flow'),
    ...(isShadowed ? ['not used: another pack with the same name comes first'] : []),
  ];
  const wrong = problem === undefined ? '' : `\n  ${red(oneLine(problem))}`;
  const name = version === '' ? bold(ref) : `${bold(ref)} ${version}`;
  return `${name}  ${dim(oneLine(facts.join(' · ')))}${wrong}`;
}

/** Describes where a pack was installed from. Not every installer records this. */
function installedFrom(source: string | undefined): string {
  return source === undefined ? 'installed' : `installed from ${source}`;
}

function counted(count: number, what: string): readonly string[] {
  if (count === 0) return [];
  return [`${count} ${count === 1 ? what : `${what}s`}`];
}
