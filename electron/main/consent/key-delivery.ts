/**
 * Sends keys to engine hosts and tracks their confirmation, so that a newly saved key is used by the next call. Does
 * not depend on Electron.
 */
import type { Clock } from '../../ipc/engine-base.ts';
import type { ToHostMessage } from '../../ipc/host-messages.ts';
import type { Keys } from './secret-vault.ts';

/** An engine host as a recipient of keys. */
export interface KeyTaker {
  /** Confirms that the host has received the keys of this delivery. */
  took(delivery: number): void;
  /** Reports that the host has exited. Deliveries stop waiting for it. */
  leave(): void;
}

export interface KeyDelivery {
  /** Sends the keys to a new host, and again on every change. */
  attach(send: (message: ToHostMessage) => void): KeyTaker;
  /** Sends the keys to all hosts. Resolves when each has confirmed them, exited, or not responded for five seconds. */
  deliver(): Promise<void>;
}

const answerLimitMs = 5000;

interface Host {
  readonly send: (message: ToHostMessage) => void;
  /** Pending deliveries to the host. */
  readonly waiting: Map<number, () => void>;
}

/** Creates a key delivery that sends the current result of `readKeys` each time. */
export function createKeyDelivery(readKeys: () => Keys, clock: Clock): KeyDelivery {
  const hosts = new Set<Host>();
  let lastDelivery = 0;
  return {
    attach(send) {
      const host: Host = { send, waiting: new Map() };
      hosts.add(host);
      send({ type: 'keys', delivery: ++lastDelivery, keys: readKeys() });
      return {
        took(delivery) {
          host.waiting.get(delivery)?.();
          host.waiting.delete(delivery);
        },
        leave() {
          hosts.delete(host);
          for (const settle of host.waiting.values()) settle();
        },
      };
    },
    async deliver() {
      const delivery = ++lastDelivery;
      const keys = readKeys();
      const taken = [...hosts].map(
        ({ send, waiting }) =>
          new Promise<void>((resolve) => {
            waiting.set(delivery, resolve);
            send({ type: 'keys', delivery, keys });
          }),
      );
      let stopTimer: () => void = () => undefined;
      // An unresponsive host receives them when it responds again.
      const tooLong = new Promise<void>((resolve) => {
        stopTimer = clock.setTimer(resolve, answerLimitMs);
      });
      await Promise.race([Promise.all(taken), tooLong]);
      stopTimer();
    },
  };
}
