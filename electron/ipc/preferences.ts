/**
 * How a person likes the editor to behave; kept by main for all windows.
 */
import { z } from 'zod';

export const preferencesSchema = z.strictObject({
  /** What the mouse wheel does on the canvas. */
  wheel: z.enum(['pan', 'zoom']).default('pan'),
  /** Whether moved nodes snap to the grid. */
  snap: z.boolean().default(true),
  /** Whether lines show where moved nodes align with others. */
  guides: z.boolean().default(true),
  density: z.enum(['comfortable', 'compact']).default('comfortable'),
  contrast: z.enum(['normal', 'high']).default('normal'),
  /** Shortcuts other than the usual ones, by the id of the command; null = none. */
  keys: z.record(z.string().min(1).max(100), z.string().min(1).max(100).nullable()).default({}),
});

export type Preferences = z.output<typeof preferencesSchema>;
