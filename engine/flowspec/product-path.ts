/**
 * Where products stand in a workspace, by paths and names alone.
 */

/** The folder of the workspace that holds a folder for each product. */
export const productsFolder = 'products';

/** What a product may be called: its name is the first part of the names of its tools and agents. */
const productName = /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_|$))*$/;

/**
 * The product that a file lies in.
 * @param path relative to the workspace with `/`
 * @returns undefined for a file of no product
 */
export function productOfPath(path: string): string | undefined {
  const plain = path.includes('./') || path.includes('//') ? folded(path) : path;
  return /^products\/([^/.][^/]*)\/./.exec(plain)?.[1];
}

/**
 * True for YAML and JSON in the `flows` folder of a product, whose manifest may say that only some of them count.
 * @param path relative to the workspace with `/`
 */
export function isProductFlowPath(path: string): boolean {
  return /^products\/[^/.][^/]*\/flows\/[^/.][^/]*\.(?:ya?ml|json)$/.test(path);
}

/** As `productOfPath`, as a list: what rules are asked for. */
export function productsAt(path: string): readonly string[] {
  const product = productOfPath(path);
  return product === undefined ? [] : [product];
}

/** Without `.` and `..`, which say nothing of where a file lies. */
function folded(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return path.startsWith('/') ? path : parts.join('/');
}

/** Why a folder cannot be a product by its name; undefined = it can. */
export function productNameProblem(name: string): string | undefined {
  if (name.toLowerCase() === 'core') return 'No product can be named core: names of the tools of the program begin so.';
  if (name.length <= 80 && productName.test(name)) return undefined;
  return `${JSON.stringify(name)} is no name of a product: write up to 80 letters, digits and -, with single _ between words.`;
}

/**
 * The name of a product's flow by its file: `refund` for `refund.yaml` and `refund.flow.yaml`.
 * @param file without folders
 * @returns undefined for a file that is no flow, such as a README
 */
export function flowNameOfFile(file: string): string | undefined {
  return /^([^.].*?)(?:\.flow)?\.(?:ya?ml|json)$/i.exec(file)?.[1];
}
