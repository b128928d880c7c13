/**
 * Test helper: an engine host simulated by the test.
 */
import type { ToHostMessage } from '../../ipc/host-messages.ts';
import type { HostProcess, HostReport } from './engine-supervisor.ts';

/** A process controlled by the test. */
export class FakeHost implements HostProcess<string> {
  readonly person: HostProcess<string>['person'] = { call: () => this.answer(), stream: () => () => undefined };
  answer: () => Promise<never> = () => new Promise(() => undefined);
  readonly received: string[] = [];
  /** All messages, with their content. */
  readonly messages: ToHostMessage[] = [];
  isRunning = true;
  #tell: (message: HostReport) => void = () => undefined;
  #exit: (exitCode: number) => void = () => undefined;

  send(message: ToHostMessage, ports: readonly string[]): void {
    this.messages.push(message);
    this.received.push([message.type, ...ports].join(' '));
  }
  kill(): void {
    this.received.push('kill');
    this.exit(0);
  }
  onMessage(listener: (message: HostReport) => void): void {
    this.#tell = listener;
  }
  onExit(listener: (exitCode: number) => void): void {
    this.#exit = listener;
  }

  tell(message: HostReport): void {
    this.#tell(message);
  }
  exit(exitCode: number): void {
    this.isRunning = false;
    this.#exit(exitCode);
  }
}
