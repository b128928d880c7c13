/**
 * Saves images of flows to files that the user chooses.
 */
import { writeFile } from 'node:fs/promises';
import type { SaveDialogOptions, SaveDialogReturnValue } from 'electron';
import type { mainContract } from '../../ipc/contracts/main-contract.ts';
import { EngineError } from '../../ipc/engine-base.ts';
import type { ArgsOf, ResultOf } from '../../ipc/rpc.ts';
import { text } from '../text.ts';

/** Shows the system's save dialog above the calling window. */
export type ShowSaveDialog = (options: SaveDialogOptions) => Promise<SaveDialogReturnValue>;

type SaveImage = (typeof mainContract)['image.save'];

/** Asks for a file and writes the image to it. @throws EngineError `image.not-writable` */
export async function saveImage(
  { suggestedName, format, data }: ArgsOf<SaveImage>[0],
  show: ShowSaveDialog,
): Promise<ResultOf<SaveImage>> {
  const words = text().files;
  const { canceled, filePath } = await show({
    title: words.savePicture,
    defaultPath: suggestedName,
    filters: [{ name: words[format], extensions: [format] }],
  });
  if (canceled || filePath === '') return { path: null };
  try {
    await writeFile(filePath, data);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The picture could not be written: ${reason}. Choose another folder.`;
    throw new EngineError({ code: 'image.not-writable', message });
  }
  return { path: filePath };
}
