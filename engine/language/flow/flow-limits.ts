/**
 * Limits on a flow file's content. A file beyond a limit is rejected before it can exhaust memory or time.
 */

/** Maximum length of the text, in UTF-16 units. */
export const MAX_FLOW_TEXT_LENGTH = 4 * 1024 * 1024;

/**
 * Maximum number of scalars, including keys, and of list and map brackets. These determine the parsing time and memory.
 */
export const MAX_FLOW_VALUES = 600_000;

/** Maximum nesting of lists and maps, including aliases, and of loops. */
export const MAX_NESTING_DEPTH = 100;

/** Maximum number of values to which all of a file's aliases expand. */
export const MAX_ALIASED_VALUES = 10_000;

/** Maximum number of reported syntax errors. Later ones usually follow from the first. */
export const MAX_SYNTAX_PROBLEMS = 100;

/** Maximum number of problems that parsing and validation each report. More are reported after these are fixed. */
export const MAX_PROBLEMS = 1000;

/** Default maximum size of a node's output, in bytes of its JSON text. */
export const DEFAULT_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Highest limit that a flow may set. Longer text could no longer be combined with other text. */
export const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
