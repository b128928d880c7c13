/**
 * A problem in a user's text: its message, position and severity. Parsers and validators return lists of diagnostics
 * and never throw.
 */

/** A text range. Lines and columns start at 1, columns count UTF-16 units, and the end is exclusive. */
export interface TextRange {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** A problem's severity. Only errors prevent a run. */
export type Severity = 'error' | 'warning' | 'info';

/** Stable codes, `area.kebab-case`. Once released, a code keeps its meaning forever. */
export type DiagnosticCode =
  | 'file.too-large'
  | 'file.not-text'
  | 'file.conflict'
  | 'yaml.syntax'
  | 'yaml.duplicate-key'
  | 'yaml.empty'
  | 'yaml.too-deep'
  | 'yaml.too-many-aliases'
  | 'flow.not-a-map'
  | 'flow.other-format'
  | 'flow.older-form'
  | 'flow.wrong-type'
  | 'flow.missing-key'
  | 'flow.unknown-key'
  | 'flow.bad-value'
  | 'flow.unused-default'
  | 'flow.not-callable'
  | 'flow.bad-inputs'
  | 'json.unsafe-number'
  | 'flow.newer-version'
  | 'test.invalid'
  | 'trigger.invalid'
  | 'trigger.unprotected'
  | 'flow.pack-not-allowed'
  | 'node.bad-id'
  | 'node.reserved-id'
  | 'node.duplicate-id'
  | 'node.unknown-type'
  | 'node.pack-not-listed'
  | 'node.long-lived'
  | 'node.bad-input'
  | 'node.bad-config'
  | 'node.missing-input'
  | 'node.unknown-input'
  | 'node.unused-setting'
  | 'node.bad-schema-file'
  // Reported only by windows while a user is typing, not by the engine.
  | 'node.script-syntax'
  | 'node.unknown-tool'
  | 'node.tool-params'
  | 'edge.unknown-node'
  | 'edge.duplicate-id'
  | 'edge.cycle'
  | 'edge.unknown-route'
  | 'edge.never-fails'
  | 'loop.not-literal'
  | 'loop.bad-name'
  | 'loop.empty-body'
  | 'loop.unknown-node'
  | 'loop.shared-node'
  | 'loop.holds-itself'
  | 'loop.too-deep'
  | 'loop.crossing-edge'
  | 'loop.hidden-output'
  | 'loop.retry'
  | 'when.bad-shape'
  | 'when.never-holds'
  | 'binding.bad-path'
  | 'binding.bad-default'
  | 'binding.unknown-root'
  | 'binding.unknown-field'
  | 'binding.wrong-type'
  | 'binding.may-be-missing'
  | 'secret.misplaced'
  | 'step.calls-flow'
  | 'step.agent-not-pure'
  | 'step.agent-unusable'
  | 'step.bare-name'
  | 'step.unused-key'
  | 'step.strange-template'
  | 'step.logic'
  | 'step.risky-tool'
  | 'step.many-duties'
  // Depends on the machine's setup, so it is reported only by windows and never by flow validation.
  | 'model.missing'
  | 'model.missing-key'
  | 'model.unusable'
  | 'agent.empty'
  | 'agent.other-format'
  | 'agent.options-syntax'
  | 'agent.bad-option'
  | 'agent.unknown-option'
  | 'agent.bad-prompt-option'
  | 'agent.unknown-heading'
  | 'agent.prompt-cut'
  | 'agent.missing-fence'
  | 'agent.extra-fence'
  | 'agent.unclosed-fence'
  | 'agent.fence-closed-early'
  | 'agent.lua-syntax'
  | 'agent.template-syntax'
  | 'agent.not-for-pure'
  | 'agent.unknown-function'
  | 'agent.unused-data'
  | 'policy.invalid'
  | 'team.not-a-map'
  | 'team.missing-key'
  | 'team.wrong-type'
  | 'team.bad-value'
  | 'team.unknown-key'
  | 'team.newer-version'
  | 'team.not-readable'
  | 'dialogue.not-a-map'
  | 'dialogue.missing-key'
  | 'dialogue.wrong-type'
  | 'dialogue.bad-value'
  | 'dialogue.unknown-key'
  | 'dialogue.unknown-name'
  | 'dialogue.newer-version'
  | 'dialogue.too-many-flows'
  | 'dialogue.undescribed'
  | 'tool.not-a-map'
  | 'tool.missing-key'
  | 'tool.wrong-type'
  | 'tool.bad-value'
  | 'tool.unknown-key'
  | 'tool.duplicate'
  | 'tool.unreadable'
  | 'product.bad-name'
  | 'product.duplicate'
  | 'product.not-a-map'
  | 'product.wrong-type'
  | 'product.unknown-key'
  | 'product.unused-file'
  | 'product.outside'
  | 'product.missing-flow'
  | 'product.unlisted'
  | 'product.unreadable'
  | 'product.refused'
  | 'product.isolated'
  | 'product.calls-flow';

/** A problem at a position in a text. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** One sentence that describes the problem and how to fix it. */
  readonly message: string;
  readonly range: TextRange;
  /** The node to which the problem belongs, if any. */
  readonly nodeId?: string;
  /** For `node.script-syntax`: the line in the code, starting at 1. */
  readonly codeLine?: number;
  /** The name that the problem is about, if programs need it: the field for `agent.unused-data`. */
  readonly subject?: string;
}

/** Whether at least one diagnostic prevents a run. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** Returns at most `limit` problems. Errors come first, so that the limit never hides that a file must not run. */
export function worstProblems<Problem extends { readonly severity: Severity }>(
  problems: readonly Problem[],
  limit: number,
): readonly Problem[] {
  if (problems.length <= limit) return problems;
  const isError = ({ severity }: Problem): boolean => severity === 'error';
  return [...problems.filter(isError), ...problems.filter((problem) => !isError(problem))].slice(0, limit);
}

/** Formats a diagnostic as one line for people and editors: `file:line:col severity code message`. */
export function renderDiagnostic(file: string, { range, severity, code, message }: Diagnostic): string {
  return `${file}:${range.line}:${range.column} ${severity} ${code} ${message}`;
}
