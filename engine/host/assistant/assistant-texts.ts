/**
 * Reads the prompt and the tools of the assistant from the program's files.
 */
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { EngineError } from '../../base/engine-error.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { readTextFile } from '../../world/files/read-text.ts';

const maxBytes = 256 * 1024;

const toolTexts = z.array(
  z.strictObject({
    name: z.enum(['read_flow', 'list_node_types', 'check_flow', 'propose_changes']),
    description: z.string(),
    inputSchema: z.custom<JsonMap>((value) => typeof value === 'object' && value !== null),
  }),
);

export type AssistantToolText = z.output<typeof toolTexts>[number];

interface AssistantTexts {
  readonly prompt: string;
  readonly tools: readonly AssistantToolText[];
}

/** @throws EngineError `assistant.unavailable` without a folder; `files.*` */
export async function readAssistantTexts(folder: string | undefined): Promise<AssistantTexts> {
  if (folder === undefined) {
    const message = 'This program has no assistant. Use the Millrace window.';
    throw new EngineError({ code: 'assistant.unavailable', message });
  }
  const read = (name: string): Promise<string> => readTextFile(join(folder, name), { maxBytes, shownPath: name });
  const [prompt, tools] = await Promise.all([read('prompt.md'), read('tools.yaml')]);
  return { prompt: prompt.trim(), tools: toolTexts.parse(parse(tools)) };
}
