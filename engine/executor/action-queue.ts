/**
 * The one way requests go. Every action is a task of its own, so none waits for another: a cancel is heard while runs
 * go on.
 */
import { EngineError } from '../base/engine-error.ts';
import type { Action, ActionResult } from './action.ts';

type ActionOf<Type extends Action['type']> = Extract<Action, { type: Type }>;

/** One handler for each action. */
export type ActionHandlers = {
  readonly [Type in Action['type']]: (action: ActionOf<Type>) => Promise<ActionResult[Type]>;
};

export interface ActionQueue {
  /**
   * Starts the action's task and gives what its handler answers.
   * @throws EngineError `engine.closed`, or what the handler throws: the action was refused
   */
  send<Type extends Action['type']>(type: Type, action: Omit<ActionOf<Type>, 'type'>): Promise<ActionResult[Type]>;
  /** Refuses actions from now on; resolves when those under way are handled. */
  close(): Promise<void>;
}

/** Makes a queue. It gives each action to its handler, in the order they were sent. */
export function createActionQueue(handlers: ActionHandlers): ActionQueue {
  const tasks = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    send<Type extends Action['type']>(type: Type, action: Omit<ActionOf<Type>, 'type'>) {
      if (isClosed) return Promise.reject(closed());
      // The compiler does not see that the parts of one member of the union make it whole again.
      const whole = { type, ...action } as ActionOf<Type>;
      const task = Promise.resolve(whole).then(handlers[type]);
      const done: Promise<unknown> = task.then(
        () => tasks.delete(done),
        () => tasks.delete(done),
      );
      tasks.add(done);
      return task;
    },
    async close() {
      isClosed = true;
      await Promise.all(tasks);
    },
  };
}

function closed(): EngineError {
  return new EngineError({ code: 'engine.closed', message: 'The engine is shutting down' });
}
