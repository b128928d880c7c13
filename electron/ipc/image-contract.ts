/**
 * Calls about pictures that a page has drawn.
 */
import { z } from 'zod';

/** Bytes; a picture of the largest flow stays far below. */
export const maxImageSize = 64 * 1024 * 1024;

export const imageContract = {
  /**
   * Shows the system's dialog for saving, and writes the picture where the person chooses. Fails with `image.not-writable`.
   */
  'image.save': {
    params: z.strictObject({
      /** A file name without a folder. */
      suggestedName: z
        .string()
        .min(1)
        .max(200)
        .regex(/^[^\\/\0]+$/),
      format: z.enum(['png', 'svg']),
      data: z.instanceof(Uint8Array).refine(({ byteLength }) => byteLength <= maxImageSize, 'must not be over 64 MiB'),
    }),
    /** Where it was written; null = the person closed the dialog. */
    result: z.object({ path: z.string().nullable() }),
  },
} as const;
