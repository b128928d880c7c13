import type { DocumentKind } from './check.ts';

/** What a file of the workspace is, by its name. */
export function kindOfPath(path: string): DocumentKind {
  if (/\.flow\.ya?ml$/.test(path)) return 'flow';
  return path.endsWith('.aip') ? 'agent' : 'file';
}
