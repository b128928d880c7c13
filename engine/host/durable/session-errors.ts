/** The ways in which a session ends an attempt. */

/** Thrown to end an attempt because this process is shutting down. Another process continues the run. */
export class SessionDrained extends Error {
  override readonly name = 'SessionDrained';

  constructor() {
    super('This worker is shutting down.');
  }
}

/** Thrown to end a run because a step has thrown an error, although steps report errors in their results. */
export class StepBug extends Error {
  override readonly name = 'StepBug';

  constructor(step: string, message: string) {
    super(`Step ${step} has thrown an error: ${message}`);
  }
}
