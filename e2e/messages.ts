/**
 * Records the messages between the processes of the program as far as they can be observed: calls and pushes between
 * page and main, the port between page and engine, and messages between main and the engine host.
 */
import { expect } from '@playwright/test';
import { replaceEngine } from './main-process.ts';
import type { RunningProgram } from './program.ts';

/** Messages as JSON, by channel. */
interface HeardMessages {
  readonly calls: readonly string[];
  readonly pushes: readonly string[];
  readonly host: readonly string[];
  readonly port: readonly string[];
}

/**
 * Records all later messages. Reloads the page and replaces the engine host. @returns a function that reads the
 * messages recorded so far
 */
export async function recordMessages({ app, page }: RunningProgram): Promise<() => Promise<HeardMessages>> {
  await app.evaluate(({ BrowserWindow, ipcMain, utilityProcess }) => {
    const heard = { calls: [] as string[], pushes: [] as string[], host: [] as string[] };
    Reflect.set(globalThis, 'heardMessages', heard);
    const textOf = (value: unknown): string => JSON.stringify(value) ?? '';
    const handlers = Reflect.get(ipcMain, '_invokeHandlers') as Map<string, (...args: unknown[]) => unknown>;
    for (const [channel, handle] of handlers) {
      handlers.set(channel, async (...args) => {
        heard.calls.push(textOf(args.slice(1)));
        const answer = await handle(...args);
        heard.calls.push(textOf(answer));
        return answer;
      });
    }
    for (const { webContents } of BrowserWindow.getAllWindows()) {
      const send = webContents.send.bind(webContents);
      webContents.send = (channel, ...args) => {
        heard.pushes.push(textOf(args));
        send(channel, ...args);
      };
    }
    const fork = utilityProcess.fork.bind(utilityProcess);
    utilityProcess.fork = (...args) => {
      const child = fork(...args);
      const post = child.postMessage.bind(child);
      child.postMessage = (message, ports) => {
        heard.host.push(textOf(message));
        post(message, ports);
      };
      child.on('message', (message: unknown) => heard.host.push(textOf(message)));
      return child;
    };
  });
  await page.addInitScript(() => {
    const heard: string[] = [];
    Reflect.set(window, 'heardMessages', heard);
    const { postMessage, addEventListener } = MessagePort.prototype;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...args: unknown[]) {
      heard.push(JSON.stringify(args[0]) ?? '');
      Reflect.apply(postMessage, this, args);
    };
    MessagePort.prototype.addEventListener = function (this: MessagePort, ...args: unknown[]) {
      const [type] = args;
      if (type === 'message') {
        const hear = ({ data }: MessageEvent): void => void heard.push(JSON.stringify(data) ?? '');
        Reflect.apply(addEventListener, this, ['message', hear]);
      }
      Reflect.apply(addEventListener, this, args);
    };
  });
  await page.reload();
  await replaceEngine({ app, page });
  return async () => ({
    ...(await app.evaluate(() => Reflect.get(globalThis, 'heardMessages') as Omit<HeardMessages, 'port'>)),
    port: await page.evaluate(() => Reflect.get(window, 'heardMessages') as string[]),
  });
}

/** Fails if a message contains one of the forms, or if a channel recorded no message. */
export function expectSilence(heard: HeardMessages, forms: readonly string[]): void {
  for (const [way, messages] of Object.entries(heard)) {
    expect(messages.length, `${way} was heard`).toBeGreaterThan(0);
    for (const form of forms) {
      const inJson = JSON.stringify(form).slice(1, -1);
      for (const text of [form, inJson]) {
        expect(
          messages.filter((message: string) => message.includes(text)),
          `${way} holds the value`,
        ).toEqual([]);
      }
    }
  }
}
