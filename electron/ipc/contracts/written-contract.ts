/**
 * Files that runs have written and that await review, as shown in windows.
 */
import { z } from 'zod';
import { call } from '../rpc.ts';

const writtenFile = z.object({
  path: z.string(),
  decides: z.exactOptional(z.string()),
  before: z.exactOptional(z.string().nullable()),
  text: z.string(),
  changes: z.array(z.string()).readonly(),
});

/** Main also uses this call to show the user what they agree to. */
export const listWritten = call([], z.array(writtenFile).readonly());

/** @see `WrittenEngine.acceptWritten` */
export const acceptWritten = call(
  [z.strictObject({ path: z.string().min(1).max(4096), text: z.string() })],
  z.boolean(),
);
