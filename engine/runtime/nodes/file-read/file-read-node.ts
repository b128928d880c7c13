import { globMatcher } from '../../../base/glob.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import type { FileBytes, FilesCapability } from '../../kernel/capabilities/files-capability.ts';
import { mediaTypeOf } from '../../kernel/capabilities/media-type.ts';
import type { Hub } from '../../kernel/hub/hub.ts';
import { fileReadType } from './file-read-type.ts';

export const fileReadNode = defineNodeType(fileReadType, {
  capabilities: ['files'],
  run: async ({ input: { path, globs = [], as }, can, signal, hub }) => {
    if (as === 'base64') {
      if (path !== undefined) return withType(await can.files.readBytes(path, signal));
      const found = await can.files.readBytesOfGlobs(globs, signal);
      await warnOfNoMatch(globs, found, { can, signal, hub });
      return { files: found.map(withType) };
    }
    if (path !== undefined) return await can.files.readText(path, signal);
    const files = [...(await can.files.readGlobs(globs, signal))];
    await warnOfNoMatch(globs, files, { can, signal, hub });
    return { files, text: files.map(({ text }) => text).join('\n') };
  },
});

function withType(file: FileBytes): FileBytes & { readonly mediaType: string } {
  return { ...file, mediaType: mediaTypeOf(file.path) };
}

interface FileReadContext {
  readonly can: { readonly files: FilesCapability };
  readonly signal: AbortSignal;
  readonly hub: Pick<Hub, 'emit'>;
}

/** Logs which globs matched nothing, and suggests what the user may have meant. */
async function warnOfNoMatch(
  globs: readonly string[],
  found: readonly { readonly path: string }[],
  { can, signal, hub }: FileReadContext,
): Promise<void> {
  for (const glob of globs) {
    const matches = globMatcher(glob, { hidesDotNames: true });
    if (found.some(({ path }) => matches(path))) continue;
    const text = `No file matches ${JSON.stringify(glob)}, so there is nothing to read.${await hintFor(glob, { can, signal })}`;
    hub.emit({ type: 'log', level: 'warn', text });
  }
}

async function hintFor(glob: string, { can, signal }: Pick<FileReadContext, 'can' | 'signal'>): Promise<string> {
  if (glob.includes('\\'))
    return ` In globs, \\ escapes the next character. Separate folders with /: ${JSON.stringify(glob.replaceAll('\\', '/'))}.`;
  if (!/[[{]/.test(glob)) return ' Globs are relative to the workspace folder; ** matches any number of folders.';
  const isFile = await can.files.readBytes(glob, signal).then(
    () => true,
    () => false,
  );
  if (!isFile) return ' In globs, [abc] matches one of these characters, and {a,b} one of these alternatives.';
  const escaped = glob.replace(/[[\]{}]/g, '\\$&');
  return ` A file with this name exists: write ${JSON.stringify(escaped)}, or use the input path.`;
}
