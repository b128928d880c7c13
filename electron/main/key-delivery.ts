/**
 * Brings keys to engine hosts and knows when they have them, so that a key which was just saved is used by what comes
 * next. Knows no Electron.
 */
import type { Clock } from '../ipc/engine-base.ts';
import type { ToHostMessage } from '../ipc/host-messages.ts';
import type { Keys } from './secret-vault.ts';

/** One engine host, as keys are brought to it. */
export interface KeyTaker {
  /** It has the keys of that delivery. */
  took(delivery: number): void;
  /** It is gone; nobody waits for it any longer. */
  leave(): void;
}

export interface KeyDelivery {
  /** Brings the keys to a host that begins, and from now on at every change. */
  attach(send: (message: ToHostMessage) => void): KeyTaker;
  /** Brings the keys to all hosts; resolves when each has them, is gone, or has not answered for five seconds. */
  deliver(): Promise<void>;
}

const answerLimitMs = 5000;

interface Host {
  readonly send: (message: ToHostMessage) => void;
  /** The deliveries under way to it. */
  readonly waiting: Map<number, () => void>;
}

/** Makes the delivery of what `readKeys` gives at each time. */
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
      // A host that is silent takes them when it answers again.
      const tooLong = new Promise<void>((resolve) => {
        stopTimer = clock.setTimer(resolve, answerLimitMs);
      });
      await Promise.race([Promise.all(taken), tooLong]);
      stopTimer();
    },
  };
}
