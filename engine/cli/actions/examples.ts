/**
 * Implements `examples`.
 */
import path from 'node:path';
import { createGallery, type GalleryEngine } from '../../host/workspace/gallery.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { oneLine } from '../progress/phrases.ts';
import { printEach } from './with-packs.ts';

/** Lists the examples by use, and reports those that cannot be read. */
export async function listExamples(context: CliContext, options: GlobalOptions): Promise<void> {
  const { examples, problems } = await galleryOf(context, options).listGallery();
  for (const { message } of problems) context.terminal.err(oneLine(message));
  if (examples.length === 0) context.terminal.err('No examples found.');
  const { bold, dim } = context.terminal.colors;
  printEach(context, options, {
    values: examples,
    lineOf: ({ id, title, use, shows, isCopied }) =>
      `${bold(id)}  ${title} ${dim(`· ${use}${isCopied ? ' · in this workspace' : ''}`)}\n  ${dim(shows)}`,
  });
}

/**
 * Copies an example and prints how to run it.
 * @throws EngineError `example.not-found` | `files.exists` | `files.not-writable`
 */
export async function copyExample(context: CliContext, id: string, options: GlobalOptions): Promise<void> {
  const copied = await galleryOf(context, options).copyGalleryExample(id);
  const shown = (file: string): string =>
    path.relative(context.folder, path.join(resolveWorkspace(context, options), file)) || file;
  const opened = shown(copied.path);
  const run = `millrace ${opened.endsWith('.dialogue.yaml') ? 'chat' : 'run'} ${opened}`;
  const written = copied.files.map((file) => `Wrote ${shown(file)}`);
  const lines = written.length === 0 ? [`${opened} already exists. Nothing was changed.`] : written;
  printEach(context, options, {
    values: [{ path: copied.path, files: copied.files, run }],
    lineOf: () => [...lines, `To run it: ${run}`].join('\n'),
  });
}

/** The gallery is next to the bundled packs. */
function galleryOf(context: CliContext, options: GlobalOptions): GalleryEngine {
  const { builtInPacks } = context;
  const folder = builtInPacks === undefined ? {} : { galleryFolder: path.resolve(builtInPacks, '../gallery') };
  return createGallery({ workspace: resolveWorkspace(context, options), ...folder });
}
