import type { OpenFlow } from './file.ts';

/** Whether an open file lies in the workspace; agents of packs that lie elsewhere have a name or an absolute path. */
export function isWorkspaceFile({ path, kind }: Pick<OpenFlow, 'path' | 'kind'>): boolean {
  return !/^[\\/]|^[a-z]:/i.test(path) && !(kind === 'agent' && path.includes('@'));
}

/** Up to the ending of a file's name: what is usually meant by a new name. */
export function stemLength(name: string): number {
  const dot = name.search(/\.flow\.ya?ml$|\.[^.]+$/);
  return dot < 1 ? name.length : dot;
}
