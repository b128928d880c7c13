/**
 * The few parts of the engine's base that the main process uses. Main reaches them through here, so that its imports
 * show that it never loads the engine itself.
 */
export { type Clock, systemClock } from '../../engine/base/clock.ts';
export { EngineError } from '../../engine/base/engine-error.ts';
