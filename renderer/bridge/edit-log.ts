/**
 * The log of a file's edits, which window and main keep alike.
 */
export {
  type EditLog,
  type EditStep,
  newEditLog,
  redoParts,
  takeStep,
  undoParts,
} from '../../electron/ipc/edit-log.ts';
