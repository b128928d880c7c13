/**
 * Defines the message about open requests, and fills templates with its fields.
 */
import path from 'node:path';
import type { InboxRequest } from '../../ipc/contracts/inbox-contract.ts';
import { text as programText } from '../text.ts';
import { linkOfRun } from '../windows/open-request.ts';
import { plainText } from '../windows/plain-text.ts';

/** The message. All fields are single lines of text without markup. */
export interface DeliveredMessage {
  readonly title: string;
  readonly text: string;
  /** Name of the workspace folder. */
  readonly workspace: string;
  /** Path of the flow or agent in the workspace; empty if the message is about several requests. */
  readonly flow: string;
  /** Id of the run. */
  readonly run: string;
  /** Full name of the node; empty if the run itself waits. */
  readonly node: string;
  /** Link that only opens the run in the program; empty if the message has none. */
  readonly link: string;
  /** Deadline in ISO 8601 format; empty if there is none. */
  readonly deadline: string;
}

/** @param redact removes secrets from text */
export function messageOf(
  workspace: string,
  { title, text, place, deadlineAt }: InboxRequest,
  redact: (text: string) => string,
): DeliveredMessage {
  const plain = (written: string, longest = 200): string => plainText(redact(written), longest);
  return {
    title: programText().requests.one({ title: plain(title) }),
    text: plain(text, 500),
    workspace: plain(path.basename(workspace) || workspace),
    flow: plain(place.path, 500),
    run: place.runId,
    node: plain(place.nodeId, 500),
    link: linkOfRun(workspace, place.runId, place.nodeId),
    deadline: deadlineAt === undefined ? '' : new Date(deadlineAt).toISOString(),
  };
}

/** Returns the value of a secret by name; undefined if it does not exist. */
export type SecretOf = (name: string) => string | undefined;

/** Returns a message that is marked as a test. */
export function testMessage(): DeliveredMessage {
  const { test, testText, none } = programText().requests;
  return { title: test, text: testText, workspace: none, flow: none, run: none, node: none, link: '', deadline: '' };
}

const placeholder = /\{\{\s*(secret\.)?(\w+)\s*\}\}/g;

/**
 * Replaces placeholders such as `{{title}}` with fields of a message. With `secrets`, also replaces `{{secret.NAME}}`.
 * @throws Error with a message for the user, if a placeholder is unknown
 */
export function filled(text: string, message: DeliveredMessage, secrets?: SecretOf): string {
  return text.replace(placeholder, (whole, secret: string | undefined, name: string) => {
    const value =
      secret === undefined
        ? Object.hasOwn(message, name)
          ? message[name as keyof DeliveredMessage]
          : undefined
        : secrets?.(name);
    if (value !== undefined) return value;
    throw new Error(
      secret !== undefined && secrets !== undefined
        ? `There is no secret ${name}. Set it in Settings > Secrets where the system has a vault, or as MILLRACE_SECRET_${name}, or take ${whole} out.`
        : `${whole} means nothing here. Write one of ${Object.keys(message)
            .map((part) => `{{${part}}}`)
            .join(', ')}.`,
    );
  });
}

/**
 * Replaces placeholders in each string of a JSON body separately, so that a field cannot end a string. Any other body
 * is treated as one string.
 */
export function filledBody(body: string, message: DeliveredMessage, secrets: SecretOf): { text: string; type: string } {
  if (body.trim() === '') return { text: JSON.stringify(message), type: 'application/json' };
  const template = parsed(body);
  if (template === undefined) return { text: filled(body, message, secrets), type: 'text/plain; charset=utf-8' };
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return filled(value, message, secrets);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part)]));
  };
  return { text: JSON.stringify(fill(template)), type: 'application/json' };
}

function parsed(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
