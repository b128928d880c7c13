/**
 * Limits on the content of a flow file. A file beyond a limit is rejected before it can exhaust memory or time.
 */

/** Maximum length of the text, in UTF-16 units. */
export const MAX_FLOW_TEXT_LENGTH = 4 * 1024 * 1024;

/**
 * Maximum number of scalars, including keys, and of brackets of lists and maps. These determine the time and memory of
 * parsing.
 */
export const MAX_FLOW_VALUES = 600_000;

/** Maximum nesting of lists and maps, including aliases, and of loops. */
export const MAX_NESTING_DEPTH = 100;

/** Maximum number of values that all aliases of a file expand to. */
export const MAX_ALIASED_VALUES = 10_000;

/** Maximum number of reported syntax errors. Later ones usually follow from the first. */
export const MAX_SYNTAX_PROBLEMS = 100;

/** Maximum number of problems that parsing and validation report each. More are reported after these are fixed. */
export const MAX_PROBLEMS = 1000;

/** Default maximum output of a node, in bytes of its JSON text. */
export const DEFAULT_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Highest limit that a flow may set. Longer text could no longer be combined with other text. */
export const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
