/**
 * Finds a workspace's products from paths and names alone.
 */

/** The workspace folder that contains a folder for each product. */
export const productsFolder = 'products';

/** Pattern of product names. A name is the first part of the names of the product's tools and agents. */
const productName = /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_|$))*$/;

/**
 * Returns the product that contains a file.
 * @param path relative to the workspace with `/`
 * @returns undefined for a file outside all products
 */
export function productOfPath(path: string): string | undefined {
  const plain = path.includes('./') || path.includes('//') ? folded(path) : path;
  return /^products\/([^/.][^/]*)\/./.exec(plain)?.[1];
}

/**
 * Whether a path is YAML or JSON in a product's `flows` folder. The product's manifest may restrict them.
 * @param path relative to the workspace with `/`
 */
export function isProductFlowPath(path: string): boolean {
  return /^products\/[^/.][^/]*\/flows\/[^/.][^/]*\.(?:ya?ml|json)$/.test(path);
}

/** Like `productOfPath`, but returns a list, as rules require. */
export function productsAt(path: string): readonly string[] {
  const product = productOfPath(path);
  return product === undefined ? [] : [product];
}

/** Removes `.` and `..` segments. */
function folded(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return path.startsWith('/') ? path : parts.join('/');
}

/** Returns why a folder's name is not allowed for a product; undefined if it is. */
export function productNameProblem(name: string): string | undefined {
  if (name.toLowerCase() === 'core')
    return 'A product cannot be named core, because names of built-in tools start with core.';
  if (name.length <= 80 && productName.test(name)) return undefined;
  return `${JSON.stringify(name)} is not a valid product name. Use up to 80 letters, digits and -, with single _ between words.`;
}

/**
 * Returns the name of a product's flow from its file: `refund` for `refund.yaml` and `refund.flow.yaml`.
 * @param file without folders
 * @returns undefined for a file that is not a flow, such as a README
 */
export function flowNameOfFile(file: string): string | undefined {
  return /^([^.].*?)(?:\.flow)?\.(?:ya?ml|json)$/i.exec(file)?.[1];
}

/**
 * Returns the name in the address of a flow if nobody chooses another: that of its file, in lower case.
 * @param path relative to the workspace with `/`
 */
export function addressNameOf(path: string): string {
  const file = path.split('/').at(-1) ?? '';
  const name = flowNameOfFile(file) ?? file;
  const plain = name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  const words = plain.replace(/[^a-z0-9]+/g, '-').slice(0, 60);
  return words.replace(/^-+|-+$/g, '') || 'flow';
}
