/**
 * A preview in words.
 */
import { isJsonList, isJsonMap, type JsonValue } from '../../engine/isomorphic.ts';
import type { AgentPreview } from '../stores/agents/agent-previews.ts';

/** How a message is called, as the headings of agents do. */
export const roleNames = { system: 'System', user: 'Instruction', assistant: 'Assistant' } as const;

const longestValue = 40;

/** What a value is, in a few words: short ones as they are, long ones by their size. */
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

/** The fields of what Data has returned, or the value itself under no name. */
export function dataRows(data: JsonValue): readonly (readonly [name: string, words: string])[] {
  if (data === null) return [];
  return isJsonMap(data)
    ? Object.entries(data).map(([name, value]) => [name, valueWords(value)])
    : [['', valueWords(data)]];
}

/** Why there are no messages; undefined = there are, or what failed says so. */
export function endWords({ end, reason = '' }: AgentPreview): string | undefined {
  const why = reason === '' ? '.' : `: ${reason}`;
  if (end === 'skipped') return `A script skips here${why}`;
  if (end === 'waiting') return `Data asks a person here${why}`;
  if (end === 'redo') return 'Before All asks for the whole run again.';
  if (end === 'idle')
    return 'This agent does nothing for an input: it has neither prompts nor Data and Output. Begin with an Instruction.';
  return end === 'silent' ? 'No prompt has any text for this input, so no model is asked.' : undefined;
}

/** All messages as one text, for the clipboard. */
export function promptText({ messages }: AgentPreview): string {
  return messages.map(({ role, content }) => `# ${roleNames[role]}\n\n${content.trim()}\n`).join('\n');
}

/** Stages as the headings of agents name them. */
export function stageWords(stage: string): string {
  return stage === 'Ai' ? 'the prompts' : stage.replace('All', ' All');
}
