/**
 * Outputs that the person has pinned to nodes, by workspace and flow: they are the person's, not the flow's, and stay out of its file.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { EngineError } from '../../ipc/engine-base.ts';
import { pinnedOutputs } from '../../ipc/pinned-outputs.ts';
import { readOwnFile, writeOwnFile } from '../own-file.ts';
import { makePrivateFolder, nameFor, privateFileMode } from './private-folder.ts';

type Pins = z.output<typeof pinnedOutputs>;

const pinsFile = z.object({ pins: pinnedOutputs });

export class PinnedFiles {
  readonly #folder: string;

  /** @param folder holds a folder for each workspace, and in it a file for each flow that has any */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Nothing, when what lies there cannot be understood. @throws the system's error */
  read(workspace: string, flow: string): Pins {
    try {
      const text = readOwnFile(this.#fileOf(workspace, flow));
      return text === undefined ? {} : pinsFile.parse(JSON.parse(text)).pins;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError) return {};
      throw error;
    }
  }

  /** Without any, the file goes. @throws EngineError `pins.not-written` */
  write(workspace: string, flow: string, pins: Pins): void {
    const file = this.#fileOf(workspace, flow);
    try {
      if (Object.keys(pins).length === 0) {
        rmSync(file, { force: true });
        return;
      }
      makePrivateFolder(path.dirname(file));
      writeOwnFile(file, JSON.stringify({ workspace, flow, pins }), privateFileMode);
    } catch (cause) {
      throw new EngineError({
        code: 'pins.not-written',
        message: `What is pinned could not be kept for the next start: ${cause}. Make room on the disk of your user folder.`,
        recoverable: true,
        cause,
      });
    }
  }

  #fileOf(workspace: string, flow: string): string {
    return path.join(this.#folder, nameFor(workspace), `${nameFor(flow)}.json`);
  }
}
