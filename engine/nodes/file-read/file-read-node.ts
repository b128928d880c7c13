import { defineNodeType } from '../../flow/node-type.ts';
import type { FileBytes } from '../../kernel/files-capability.ts';
import { mediaTypeOf } from '../../kernel/media-type.ts';
import { fileReadType } from './file-read-type.ts';

export const fileReadNode = defineNodeType(fileReadType, {
  capabilities: ['files'],
  run: async ({ input: { path, globs, as }, can, signal }) => {
    if (as === 'base64') {
      if (path !== undefined) return withType(await can.files.readBytes(path, signal));
      return { files: (await can.files.readBytesOfGlobs(globs ?? [], signal)).map(withType) };
    }
    if (path !== undefined) return await can.files.readText(path, signal);
    const files = [...(await can.files.readGlobs(globs ?? [], signal))];
    return { files, text: files.map(({ text }) => text).join('\n') };
  },
});

function withType(file: FileBytes): FileBytes & { readonly mediaType: string } {
  return { ...file, mediaType: mediaTypeOf(file.path) };
}
