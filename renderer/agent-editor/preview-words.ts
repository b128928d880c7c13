/**
 * Texts of a preview.
 */
import { isJsonList, isJsonMap, type JsonValue } from '../../engine/isomorphic.ts';
import type { AgentPreview } from '../stores/agents/agent-previews.ts';

/** Names of messages, as in the headings of agents. */
export const roleNames = { system: 'System', user: 'Instruction', assistant: 'Assistant' } as const;

const longestValue = 40;

/** Describes a value briefly: short ones unchanged, long ones by their size. */
function valueWords(value: JsonValue): string {
  if (typeof value === 'string') {
    const isShort = value.length <= longestValue && !value.includes('\n');
    return isShort ? JSON.stringify(value) : `string, ${value.length.toLocaleString('en')} characters`;
  }
  if (isJsonList(value)) return value.length === 0 ? 'empty list' : `list of ${value.length.toLocaleString('en')}`;
  if (!isJsonMap(value)) return String(value);
  const keys = Object.keys(value);
  return keys.length === 0 ? 'empty table' : `table of ${keys.slice(0, 4).join(', ')}${keys.length > 4 ? ', …' : ''}`;
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
  const why = reason === '' ? '.' : `: ${reason}`;
  if (end === 'skipped') return `A script skips here${why}`;
  if (end === 'waiting') return `Data asks a person here${why}`;
  if (end === 'redo') return 'Before All asks for the whole run again.';
  if (end === 'idle')
    return 'This agent does nothing for an input: it has neither prompts nor Data and Output. Begin with an Instruction.';
  return end === 'silent' ? 'No prompt has any text for this input, so no model is asked.' : undefined;
}

/** Returns all messages as one text, for the clipboard. */
export function promptText({ messages }: AgentPreview): string {
  return messages.map(({ role, content }) => `# ${roleNames[role]}\n\n${content.trim()}\n`).join('\n');
}

/** Returns the title of a stage, as in the headings of agents. */
export function stageHeadingText(stage: string): string {
  return stage === 'Ai' ? 'the prompts' : stage.replace('All', ' All');
}
