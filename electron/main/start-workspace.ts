/**
 * Which folder the first window opens.
 */
import { EngineError } from '../ipc/engine-base.ts';
import { resolveWorkspace } from './workspace-folder.ts';

/** What a window is to show: a folder, or the reason why there is none. */
export interface WindowWorkspace {
  /** A real path; null = none. */
  readonly workspace: string | null;
  /** A sentence for the user. */
  readonly problem?: string;
}

interface Choices {
  /** What the command line asks for; null = nothing. */
  readonly requested: string | null;
  /** Existing folders, the last opened first. */
  readonly recent: readonly string[];
  /** Makes the example workspace and gives its folder. */
  prepareExamples(): Promise<string>;
}

/** The folder of the command line, else the last one, else (at the first start) the examples. */
export async function chooseStartWorkspace({ requested, recent, prepareExamples }: Choices): Promise<WindowWorkspace> {
  try {
    return { workspace: await resolveWorkspace(requested ?? recent[0] ?? (await prepareExamples())) };
  } catch (error) {
    if (EngineError.is(error)) return { workspace: null, problem: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return {
      workspace: null,
      problem: `The examples could not be copied to a folder of yours: ${reason}. Choose a folder with File > Open Folder.`,
    };
  }
}
