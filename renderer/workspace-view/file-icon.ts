import { Bot, File, FileText, Folder, type LucideIcon, Package, Workflow } from 'lucide-react';
import { kindOfPath } from '../stores/text/paths.ts';
import type { FileEntry } from '../stores/workspace/file-tree.ts';

/** What stands before the name of a file or folder in lists. */
export function fileIcon({ path, kind }: Pick<FileEntry, 'path' | 'kind'>): LucideIcon {
  if (kind === 'folder') return Folder;
  if (path.endsWith('pack.toml')) return Package;
  const document = kindOfPath(path);
  if (document === 'flow') return Workflow;
  if (document === 'agent') return Bot;
  return /\.(?:md|txt)$/.test(path) ? FileText : File;
}
