/**
 * Offers the resources of a server through a tool of its own, so that reading one passes the same checks as every call:
 * results of tools only link to resources.
 */
import type { Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { JsonMap } from '../../language/json/json-value.ts';
import { isFields, type MessageFields } from './read-message.ts';
import type { ToolPages } from './tool-list.ts';

const name = 'read_resource';

const entry = {
  name,
  description: 'Reads a resource of the server by its URI, for example one to which a result links.',
  inputSchema: {
    type: 'object',
    properties: { uri: { type: 'string' } },
    required: ['uri'],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
} as const;

/** The tool of one connection. */
export class ResourceTool {
  readonly #client: Client;
  /** Whether the tool is offered: the server has resources, and no tool of this name. */
  #isOffered = false;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Returns the server's tools, and this one if the server has resources. */
  added(pages: ToolPages): ToolPages {
    const hasResources = this.#client.getServerCapabilities()?.resources !== undefined;
    const isTaken = pages.entries.some((one) => isFields(one) && one['name'] === name);
    this.#isOffered = hasResources && !isTaken;
    return this.#isOffered ? { ...pages, entries: [...pages.entries, entry] } : pages;
  }

  /** Whether a call is one of this tool. */
  isMeant(params: JsonMap): boolean {
    return this.#isOffered && params['name'] === name;
  }

  /** Reads the resource. @returns it as the result of a tool. @throws ProtocolError | SdkError; the signal's reason */
  async call(params: JsonMap, signal: AbortSignal): Promise<MessageFields> {
    const { uri } = params['arguments'] as { readonly uri: string };
    try {
      const read = await this.#client.request({ method: 'resources/read', params: { uri } }, z.looseObject({}), {
        signal,
      });
      const { contents } = read as MessageFields;
      const parts = Array.isArray(contents) ? contents : [];
      return { content: parts.map((resource: unknown) => ({ type: 'resource', resource })) };
    } catch (error) {
      // The SDK reports an abort as an expired time.
      signal.throwIfAborted();
      throw error;
    }
  }
}
