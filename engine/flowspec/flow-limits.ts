/**
 * How much a flow file may hold. Beyond a limit a file is refused, before it can exhaust the program.
 */

/** Length of the text, in UTF-16 units. */
export const MAX_FLOW_TEXT_LENGTH = 4 * 1024 * 1024;

/** Scalars, keys among them, and brackets of lists and maps: what reading a file takes time and memory for. */
export const MAX_FLOW_VALUES = 600_000;

/** Lists and maps inside each other, aliases followed; also loops inside each other. */
export const MAX_NESTING_DEPTH = 100;

/** Values that all aliases of a file stand for, together. */
export const MAX_ALIASED_VALUES = 10_000;

/** Syntax errors that are reported; after some, the rest only follows from the first ones. */
export const MAX_SYNTAX_PROBLEMS = 100;

/** Problems that parsing, and validating after it, report each; whoever has mended so many checks again. */
export const MAX_PROBLEMS = 1000;

/** What one node may give, in bytes of its JSON text, unless its flow says less or more. */
export const DEFAULT_OUTPUT_BYTES = 64 * 1024 * 1024;

/** The most that a flow may say there. Text that is longer still could not be put together with other text any more. */
export const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
