/**
 * The few parts of the engine that Electron's processes share. The main process imports them through this module, which
 * makes it visible that it never loads the engine itself.
 */
export { type Clock, systemClock } from '../../engine/base/clock.ts';
export { needKey, needText, type PermissionNeed } from '../../engine/base/consent.ts';
export { EngineError } from '../../engine/base/engine-error.ts';
export type { RunId, SessionId } from '../../engine/base/ids.ts';
export { parseUrl } from '../../engine/base/parse-url.ts';
export { explainSystemError } from '../../engine/base/system-trouble.ts';
export { applyEdits, editBetween } from '../../engine/base/text-edit.ts';
export { dialedOrigin, findWebAddress, readWebAddress } from '../../engine/base/web-address.ts';
export { autonomyLevels } from '../../engine/language/flow/autonomy.ts';
export { type EventEnvelope, rootOf } from '../../engine/runtime/kernel/events/run-event.ts';
