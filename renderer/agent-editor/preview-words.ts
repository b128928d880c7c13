/**
 * Text of a preview.
 */
import { isJsonList, isJsonMap, type JsonValue } from '../../engine/isomorphic.ts';
import type { AgentPreview } from '../stores/agents/agent-previews.ts';
import { stageOf } from './language/stages.ts';
import { text } from './text.ts';

/** Message names, as in agent headings. */
export const roleNames = {
  system: stageOf('system').title,
  user: stageOf('user').title,
  assistant: stageOf('assistant').title,
};

const longestValue = 40;

/** Number of keys of a table to show. */
const mostKeys = 4;

/** Describes a value briefly: short ones unchanged, long ones by their size. */
function valueWords(value: JsonValue): string {
  if (typeof value === 'string') {
    const isShort = value.length <= longestValue && !value.includes('\n');
    return isShort ? JSON.stringify(value) : text.value.string({ count: value.length });
  }
  if (isJsonList(value)) return value.length === 0 ? text.value.emptyList : text.value.list({ count: value.length });
  if (!isJsonMap(value)) return String(value);
  const names = Object.keys(value);
  if (names.length === 0) return text.value.emptyTable;
  const keys = names.slice(0, mostKeys).join(', ');
  return names.length > mostKeys ? text.value.tableOfMore({ keys }) : text.value.table({ keys });
}

/** Returns the fields returned by Data, or the value itself with an empty name. */
export function dataRows(data: JsonValue): readonly (readonly [name: string, words: string])[] {
  if (data === null) return [];
  return isJsonMap(data)
    ? Object.entries(data).map(([name, value]) => [name, valueWords(value)])
    : [['', valueWords(data)]];
}

/** Returns why there are no messages; undefined if there are some, or an error explains it. */
export function previewEndText({ end, reason = '' }: AgentPreview): string | undefined {
  if (end === 'skipped') return reason === '' ? text.end.skipped : text.end.skippedBecause({ reason });
  if (end === 'waiting') return reason === '' ? text.end.waiting : text.end.waitingFor({ request: reason });
  return end === 'redo' || end === 'idle' || end === 'silent' ? text.end[end] : undefined;
}

/** Returns all messages as one text, for the clipboard. */
export function promptText({ messages }: AgentPreview): string {
  return messages.map(({ role, content }) => `# ${roleNames[role]}\n\n${content.trim()}\n`).join('\n');
}

/** Returns where a preview failed: in a stage (named as in agent headings), at a line, or both. */
export function failurePlace({ stage, line }: NonNullable<AgentPreview['error']>): string {
  const { failure } = text;
  if (stage === undefined) return line === undefined ? '' : failure.atLine({ line });
  if (stage === 'Ai') return line === undefined ? failure.inPrompts : failure.inPromptsAtLine({ line });
  const heading = stage.replace('All', ' All');
  return line === undefined ? failure.inStage({ stage: heading }) : failure.inStageAtLine({ stage: heading, line });
}
