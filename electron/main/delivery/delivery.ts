/**
 * Sends one message per open request through a program or to a server that the user has chosen. Failed messages are
 * retried a few times, even after a restart, and then dropped. The state is stored in a JSON file.
 */
import { z } from 'zod';
import {
  type DeliverySetting,
  type DeliveryState,
  type deliveryContract,
  deliverySetting,
} from '../../ipc/contracts/delivery-contract.ts';
import { type Clock, EngineError, readWebAddress } from '../../ipc/engine-base.ts';
import type { RpcHandlers } from '../../ipc/rpc.ts';
import { type AskConsent, deliveryQuestion } from '../consent/consent.ts';
import { readOwnFile, writeOwnFile } from '../own-file.ts';
import { text as programText } from '../text.ts';
import { type DeliveredMessage, filled, filledBody, type SecretOf, testMessage } from './message.ts';
import { type SendWorld, sendMessage } from './send-message.ts';

interface DeliveryParts {
  /** Path of the state file. If null, the state starts empty and is not stored. */
  readonly file: string | null;
  readonly clock: Clock;
  readonly secrets: SecretOf;
  readonly onChange: (state: DeliveryState) => void;
}

const text = z.string();
const message = z.object({
  title: text,
  text,
  workspace: text,
  flow: text,
  run: text,
  node: text,
  link: text,
  deadline: text,
});

const kept = z.object({
  version: z.literal(1),
  setting: deliverySetting,
  queue: z.array(
    z.object({
      message,
      failures: z.number().int().min(0),
      /** Whether sending had started. After a crash, it is unknown whether the message was sent. */
      isUnderWay: z.boolean(),
    }),
  ),
});

type StoredDeliveries = z.output<typeof kept>;
type Queued = StoredDeliveries['queue'][number];

/** Delays before each retry, in milliseconds. */
const pausesMs = [30_000, 300_000];

/** Timeout of a program or server, in milliseconds. */
const sendLimitMs = 15_000;

/** If more messages than this are sent at once, they are combined into one. */
const mostAtOnce = 20;

/** Maximum queue length. When the queue is full, the oldest messages are dropped. */
const mostQueued = 200;

export class Delivery {
  readonly #parts: DeliveryParts;
  #setting: DeliverySetting;
  #queue: readonly Queued[];
  #problem: DeliveryState['problem'] = null;
  #isSending = false;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
    const { setting, queue } = readKept(parts.file);
    this.#setting = setting;
    // A message that was being sent when the program exited may have arrived. It is dropped rather than sent twice.
    this.#queue = queue.filter(({ isUnderWay }) => !isUnderWay);
    void this.#sendAll();
  }

  get state(): DeliveryState {
    return { setting: this.#setting, problem: this.#problem };
  }

  /** @throws EngineError `delivery.invalid` if the setting contains unknown placeholders or secrets */
  check(setting: DeliverySetting): void {
    try {
      checkSetting(setting, this.#parts.secrets);
    } catch (error) {
      throw new EngineError({ code: 'delivery.invalid', message: sentenceOf(error) });
    }
  }

  /** Applies the setting, including to queued messages. */
  set(setting: DeliverySetting): void {
    this.#setting = setting;
    this.#problem = null;
    if (setting.via === 'nothing') this.#queue = [];
    this.#changed();
    void this.#sendAll();
  }

  /** Sends messages about new requests one at a time. Never throws: failures are recorded in `state`. */
  send(messages: readonly DeliveredMessage[]): void {
    if (this.#setting.via === 'nothing' || messages.length === 0) return;
    const all = messages.length > mostAtOnce ? [summaryOf(messages)] : messages;
    const queued = all.map((one): Queued => ({ message: one, failures: 0, isUnderWay: false }));
    this.#queue = [...this.#queue, ...queued].slice(-mostQueued);
    this.#keep();
    void this.#sendAll();
  }

  /** Sends a message that is marked as a test. @returns the reason it could not be sent, or null */
  async test(): Promise<string | null> {
    if (this.#setting.via === 'nothing') return programText().requests.notSet;
    try {
      await sendMessage(this.#setting, testMessage(), this.#world);
      this.#tell(null);
      return null;
    } catch (error) {
      return sentenceOf(error);
    }
  }

  get #world(): SendWorld {
    return { clock: this.#parts.clock, limitMs: sendLimitMs, secrets: this.#parts.secrets };
  }

  async #sendAll(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) await this.#sendOne(next);
    this.#isSending = false;
  }

  /** Skips messages that wait for a retry, which have their own timers. */
  #next(): Queued | undefined {
    return this.#queue.find((one) => !this.#pausing.has(one.message));
  }

  readonly #pausing = new Set<DeliveredMessage>();

  async #sendOne(one: Queued): Promise<void> {
    // Recorded before sending, so that the message is not sent again after a crash.
    this.#replace(one.message, { ...one, isUnderWay: true });
    try {
      await sendMessage(this.#setting, one.message, this.#world);
      this.#replace(one.message, null);
      this.#tell(null);
    } catch (error) {
      const pause = pausesMs[one.failures];
      this.#replace(
        one.message,
        pause === undefined ? null : { ...one, failures: one.failures + 1, isUnderWay: false },
      );
      if (pause !== undefined) this.#pause(one.message, pause);
      this.#tell(sentenceOf(error));
    }
  }

  #pause(what: DeliveredMessage, pauseMs: number): void {
    this.#pausing.add(what);
    this.#parts.clock.setTimer(() => {
      this.#pausing.delete(what);
      void this.#sendAll();
    }, pauseMs);
  }

  #replace(what: DeliveredMessage, next: Queued | null): void {
    this.#queue = this.#queue.flatMap((one) => (one.message === what ? (next === null ? [] : [next]) : [one]));
    this.#keep();
  }

  #tell(problem: string | null): void {
    if (problem === null && this.#problem === null) return;
    this.#problem = problem === null ? null : { message: problem, at: this.#parts.clock.now() };
    this.#parts.onChange(this.state);
  }

  #changed(): void {
    this.#keep();
    this.#parts.onChange(this.state);
  }

  #keep(): void {
    const { file } = this.#parts;
    if (file === null) return;
    const content: StoredDeliveries = { version: 1, setting: this.#setting, queue: [...this.#queue] };
    try {
      // URLs and headers may contain private data, so only the owner can read the file.
      writeOwnFile(file, `${JSON.stringify(content)}\n`, 0o600);
    } catch (error) {
      process.stderr.write(`millrace: not kept for the next start: ${error}\n`);
    }
  }
}

function checkSetting(setting: DeliverySetting, secrets: SecretOf): void {
  if (setting.via === 'command') for (const arg of setting.args) filled(arg, testMessage());
  if (setting.via !== 'request') return;
  const message = testMessage();
  const url = filled(setting.url, message, secrets);
  readWebAddress(url);
  for (const value of Object.values(setting.headers)) filled(value, message, secrets);
  filledBody(setting.body, message, secrets);
}

function summaryOf(messages: readonly DeliveredMessage[]): DeliveredMessage {
  const [first] = messages;
  const workspaces = new Set(messages.map(({ workspace }) => workspace));
  return {
    title: programText().requests.many({ count: messages.length }),
    text: messages
      .slice(0, 3)
      .map(({ title }) => title)
      .join(', '),
    workspace: [...workspaces].join(', ').slice(0, 200),
    flow: '',
    run: '',
    node: '',
    link: first?.link ?? '',
    deadline: '',
  };
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** An unreadable file is treated as missing. The next change replaces it. */
function readKept(file: string | null): StoredDeliveries {
  const nothing: StoredDeliveries = { version: 1, setting: { via: 'nothing' }, queue: [] };
  try {
    const content = file === null ? undefined : readOwnFile(file);
    return content === undefined ? nothing : kept.parse(JSON.parse(content));
  } catch {
    return nothing;
  }
}

/** Creates the handlers for a window's calls. */
export function createDeliveryHandlers(delivery: Delivery, consent: AskConsent): RpcHandlers<typeof deliveryContract> {
  return {
    'delivery.read': () => delivery.state,
    'delivery.set': async (setting) => {
      delivery.check(setting);
      const isAllowed = setting.via === 'nothing' || (await consent(deliveryQuestion(setting)));
      if (isAllowed) delivery.set(setting);
      return { isDone: isAllowed };
    },
    'delivery.test': async () => ({ problem: await delivery.test() }),
  };
}
