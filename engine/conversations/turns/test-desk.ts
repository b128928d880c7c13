/**
 * Test helper: a workspace with a support desk, and an engine that holds conversations in it.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import type { SessionId } from '../../base/ids.ts';
import { createEngine, type Engine, type EngineOptions } from '../../index.ts';
import type { SessionEnvelope, SessionEvent } from '../session/session-event.ts';
import type { UiAction } from '../session/session-state.ts';
import type { SessionView } from '../session/session-view.ts';

export class TestDesk {
  readonly folder = mkdtempSync(join(tmpdir(), 'millrace-desk-'));
  engine!: Engine;
  sessionId!: SessionId;

  /** @param files contents by path in the workspace; `desk.dialogue.yaml` is the catalog */
  static async open(files: Readonly<Record<string, string>>, options: Partial<EngineOptions> = {}): Promise<TestDesk> {
    const desk = new TestDesk();
    for (const [path, text] of Object.entries(files)) desk.write(path, text);
    await desk.start(options);
    ({ sessionId: desk.sessionId } = await desk.engine.startConversation({ path: 'desk.dialogue.yaml' }));
    return desk;
  }

  get workspace(): string {
    return join(this.folder, 'workspace');
  }

  write(path: string, text: string): void {
    const file = join(this.workspace, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Opens the engine. Can be called again after `engine.close`. */
  async start(options: Partial<EngineOptions> = {}): Promise<void> {
    const homeFolder = join(this.folder, 'home');
    mkdirSync(homeFolder, { recursive: true });
    this.engine = await createEngine({ workspace: this.workspace, homeFolder, isTrusted: true, env: {}, ...options });
  }

  /** Sends a message and waits until nothing is active. @returns the reply */
  async say(text: string, action?: UiAction): Promise<string> {
    const { seq } = await this.view();
    await this.engine.sayInConversation({ sessionId: this.sessionId, text, ...(action && { action }) });
    await this.rest();
    const messages = (await this.view()).messages.filter((one) => one.seq > seq && one.from === 'assistant');
    return messages.map((one) => one.text).join('\n');
  }

  async rest(): Promise<void> {
    await this.engine.whenConversationRests(this.sessionId);
  }

  /** Waits until there are `count` events of a type. */
  async until(type: SessionEvent['type'], count: number): Promise<void> {
    await vi.waitFor(async () => expect((await this.events(type)).length).toBeGreaterThanOrEqual(count));
  }

  /** Waits for the events and until nothing is active. */
  async settled(type: SessionEvent['type'], count: number): Promise<void> {
    await this.until(type, count);
    await this.rest();
  }

  async view(seq?: number): Promise<SessionView> {
    const { sessionId } = this;
    return await this.engine.readConversation({ sessionId, ...(seq === undefined ? {} : { seq }) });
  }

  /** Returns the stack from the top, as `name:Status`. */
  async stack(): Promise<readonly string[]> {
    return (await this.view()).stack.map(({ flowName, status }) => `${flowName}:${status}`);
  }

  async log(): Promise<readonly SessionEnvelope[]> {
    const all: SessionEnvelope[] = [];
    for (;;) {
      const more = await this.engine.readConversationEvents({ sessionId: this.sessionId, fromSeq: all.length });
      if (more.length === 0) return all;
      all.push(...more);
    }
  }

  async events<T extends SessionEvent['type']>(type: T): Promise<readonly Extract<SessionEvent, { type: T }>[]> {
    return (await this.log()).flatMap(({ event }) => (event.type === type ? [event as never] : []));
  }

  async close(): Promise<void> {
    await this.engine.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns a flow with one node, whose output is also the output of the run. */
export function flowOf(name: string, node: string, more = ''): string {
  return `flow: { name: ${name}${more} }\nnodes:\n  - ${node}\nedges: []\n`;
}

/** Returns a flow that outputs a constant value. */
export const gives = (name: string, value: string): string =>
  flowOf(name, `{ id: out, type: constant, input: { value: ${value} } }`);
