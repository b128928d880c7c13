/**
 * What a source file imports.
 */
import { parseAst } from 'vite';

export interface Import {
  readonly from: string;
  readonly isTypeOnly: boolean;
}

interface SyntaxNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Named things may be marked as types one by one. */
function isTypeOnly(node: SyntaxNode): boolean {
  if (node['importKind'] === 'type' || node['exportKind'] === 'type' || node.type === 'TSImportType') return true;
  const specifiers = Array.isArray(node['specifiers']) ? node['specifiers'].filter(isSyntaxNode) : [];
  return specifiers.length > 0 && specifiers.every((one) => (one['importKind'] ?? one['exportKind']) === 'type');
}

const importing = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'ImportExpression',
  'TSImportType',
]);

function collect(value: unknown, found: Import[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, found);
    return;
  }
  if (!isSyntaxNode(value)) return;
  const source = importing.has(value.type) ? value['source'] : undefined;
  if (isSyntaxNode(source) && typeof source['value'] === 'string') {
    found.push({ from: source['value'], isTypeOnly: isTypeOnly(value) });
  }
  for (const child of Object.values(value)) collect(child, found);
}

/**
 * All that a file imports: statically, dynamically, by `export … from` and by `import('…')` types.
 * @param file its name, which gives its language
 * @throws SyntaxError what the parser says
 */
export function readImports(file: string, text: string): Import[] {
  const lang = file.endsWith('x') ? 'tsx' : 'ts';
  const found: Import[] = [];
  collect(parseAst(text, { lang }), found);
  return found;
}
