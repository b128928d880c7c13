/**
 * Parses the imports of a source file.
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

/** Named imports can be marked as types individually. */
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
 * Returns all imports of a file: static, dynamic, `export … from` and `import('…')` types.
 * @param file its name, which determines its language
 * @throws SyntaxError the error of the parser
 */
export function readImports(file: string, text: string): Import[] {
  const lang = file.endsWith('x') ? 'tsx' : 'ts';
  const found: Import[] = [];
  collect(parseAst(text, { lang }), found);
  return found;
}
